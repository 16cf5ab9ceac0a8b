"""dbt's classes without methods that most of them never need: a fifth of what dbt takes to import.

mashumaro writes four methods for each of dbt's classes, as text that is compiled, and dbt has it
write only such as write the real ones when they are first called. Here those few lines are a
function, the same for all of them. Importing this module before dbt is all there is to do.
"""

from typing import Any

from mashumaro.config import ADD_DIALECT_SUPPORT
from mashumaro.core.meta.code.builder import CodeBuilder
from mashumaro.mixins.dict import DataClassDictMixin

_add_pack_method = CodeBuilder.add_pack_method
_add_unpack_method = CodeBuilder.add_unpack_method


def _is_late(builder: CodeBuilder) -> bool:
    return (
        builder.allow_postponed_evaluation
        and builder.is_nailed
        and builder.dialect is None
        and not builder.initial_type_args
        and builder.get_config().lazy_compilation
        and not builder.is_code_generation_option_enabled(ADD_DIALECT_SUPPORT)
        and issubclass(builder.cls, DataClassDictMixin)
    )


def add_pack_method(builder: CodeBuilder) -> None:
    """What `CodeBuilder.add_pack_method` adds: a class's `to_dict` or the like."""
    if not _is_late(builder):
        _add_pack_method(builder)
        return
    kind = builder.format_name
    encoder, dialect = builder.encoder, builder.default_dialect
    encoder_kwargs = builder._get_encoder_kwargs()
    name = builder.get_pack_method_name(format_name=kind, encoder=encoder)

    def pack(self: Any, *arguments: Any, **named: Any) -> Any:
        CodeBuilder(
            type(self),
            first_method=name,
            allow_postponed_evaluation=False,
            format_name=kind,
            encoder=encoder,
            encoder_kwargs=encoder_kwargs,
            default_dialect=dialect,
        ).add_pack_method()
        return getattr(self, name)(*arguments, **named)

    setattr(builder.cls, name, pack)
    setattr(builder.cls, name.public, pack)


def add_unpack_method(builder: CodeBuilder) -> None:
    """What `CodeBuilder.add_unpack_method` adds: a class's `from_dict` or the like."""
    if not _is_late(builder):
        _add_unpack_method(builder)
        return
    kind = builder.format_name
    decoder, dialect = builder.decoder, builder.default_dialect
    name = builder.get_unpack_method_name(format_name=kind, decoder=decoder)

    @classmethod  # type: ignore[misc]
    def unpack(cls: type[Any], *arguments: Any, **named: Any) -> Any:
        CodeBuilder(
            cls,
            first_method=name,
            allow_postponed_evaluation=False,
            format_name=kind,
            decoder=decoder,
            default_dialect=dialect,
        ).add_unpack_method()
        return getattr(cls, name)(*arguments, **named)

    setattr(builder.cls, name, unpack)
    setattr(builder.cls, name.public, unpack)


for name, method in (
    ("add_pack_method", add_pack_method),
    ("add_unpack_method", add_unpack_method),
):
    setattr(CodeBuilder, name, method)
