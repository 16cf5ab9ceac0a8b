"""Who is who: a cookie that only this server can make names the reader.

No request says by itself whose votes it asks for, so that no reader sees another's answers without
taking their name. On loopback anybody may take any name; beyond it a name comes with its link,
whose token is made of a secret that lies beside the logs.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Collection, Iterable
from pathlib import Path
from urllib.parse import urlencode

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.votes import NO_READER, person_of, reader_name
from gainsay.review.log import private_folder


class Readers:
    """Makes and checks tokens of names. `folder` keeps the secret, so that links stay good.

    A reader's token is not an adjudicator's of the same name, as anybody may once have taken
    that name.
    """

    def __init__(self, folder: Path, adjudicators: Collection[str] = ()) -> None:
        self._secret = _secret(folder / ".secret")
        self._adjudicators = frozenset(adjudicators)

    def token(self, reader: str) -> str:
        """The token that lets its holder use a name."""
        role = "adjudicator" if reader in self._adjudicators else "reader"
        return hmac.new(self._secret, f"{role}:{reader}".encode(), hashlib.sha256).hexdigest()

    def is_token(self, reader: str, token: str) -> bool:
        """Whether a token is that of a name."""
        # compare_digest takes no other letters as text
        return hmac.compare_digest(self.token(reader).encode(), token.encode())

    def link(self, address: str, reader: str) -> str:
        """The link that signs a reader in."""
        return f"{address}/?{urlencode({'reader': reader, 'token': self.token(reader)})}"

    def cookie(self, reader: str) -> str:
        """The value of the cookie of a reader."""
        return f"{reader.encode().hex()}.{self.token(reader)}"

    def reader(self, cookie: str | None) -> str | None:
        """The reader whom a cookie names; None for no cookie of ours."""
        coded, _, token = (cookie or "").partition(".")
        try:
            reader = bytes.fromhex(coded).decode()
        except ValueError:
            return None
        return reader if reader and self.is_token(reader, token) else None


def reader_names(given: Iterable[str], option: str) -> list[str]:
    """Names of people as they are kept. Raises `GainsayError` where two are one person's."""
    people: dict[str, str] = {}
    for text in given:
        name = reader_name(text)
        if name is None:
            raise GainsayError(f"{option} {text!r}: {NO_READER}; give another name")
        person = person_of(name)
        if person in people:
            raise GainsayError(f"{option} {name}: is {people[person]}, who is named already")
        people[person] = name
    return list(people.values())


def _secret(path: Path) -> bytes:
    try:
        private_folder(path.parent)
        try:
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        else:
            with os.fdopen(file, "wb") as stream:
                stream.write(secrets.token_bytes(32))
        secret = path.read_bytes()
    except OSError as error:
        raise GainsayError(f"{path}: cannot be written or read: {error.strerror}") from error
    if len(secret) < 32:
        raise GainsayError(f"{path}: no secret of 32 bytes; remove it, and hand out new links")
    return secret
