"""dbt's classes without methods that most of them never need: a fifth of what dbt takes to import.

mashumaro writes four methods for each of dbt's classes, as text that is compiled, and dbt has it
write only such as write the real ones when they are first called. Here those few lines are a
function, the same for all of them. Importing this module before dbt is all there is to do.
"""

from collections.abc import Callable
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
    coder: dict[str, Any] = {"encoder": builder.encoder}
    name = builder.get_pack_method_name(format_name=builder.format_name, **coder)
    coder["encoder_kwargs"] = builder._get_encoder_kwargs()
    method = _written_when_called(builder, name, CodeBuilder.add_pack_method, coder)
    setattr(builder.cls, name, method)
    setattr(builder.cls, name.public, method)


def add_unpack_method(builder: CodeBuilder) -> None:
    """What `CodeBuilder.add_unpack_method` adds: a class's `from_dict` or the like."""
    if not _is_late(builder):
        _add_unpack_method(builder)
        return
    coder: dict[str, Any] = {"decoder": builder.decoder}
    name = builder.get_unpack_method_name(format_name=builder.format_name, **coder)
    method = classmethod(_written_when_called(builder, name, CodeBuilder.add_unpack_method, coder))
    setattr(builder.cls, name, method)
    setattr(builder.cls, name.public, method)


def _written_when_called(
    builder: CodeBuilder, name: str, write: Callable[[CodeBuilder], None], coder: dict[str, Any]
) -> Callable[..., Any]:
    """A method that has `write` put the real one in its place, for the class it is called on."""
    settings = coder | {
        "first_method": name,
        "allow_postponed_evaluation": False,
        "format_name": builder.format_name,
        "default_dialect": builder.default_dialect,
    }

    def method(owner: Any, *arguments: Any, **named: Any) -> Any:
        cls = owner if isinstance(owner, type) else type(owner)
        write(CodeBuilder(cls, **settings))
        return getattr(owner, name)(*arguments, **named)

    return method


for name, method in (
    ("add_pack_method", add_pack_method),
    ("add_unpack_method", add_unpack_method),
):
    setattr(CodeBuilder, name, method)
