"""What Jinja sees of a node, made when it is asked for.

dbt makes an object for each of some thousand macros each time that it renders anything: twice a
node, and once for every call of an adapter's macro. A node calls some forty of them. dbt also
renders a macro's whole file again for every call.

In dbt itself: `MacroNamespaceBuilder` would make a generator when a name is looked up,
`BaseMacroGenerator` would keep the macro that it took out of its template, and templates would be
rendered on the context that is there instead of a copy of it.
"""

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Any

from dbt.clients.jinja import MacroGenerator
from dbt.context.base import BaseContext
from dbt.context.macros import MacroNamespaceBuilder
from dbt.context.manifest import ManifestContext
from dbt.contracts.graph.nodes import Macro
from dbt.exceptions import PackageNotFoundForMacroError
from dbt.include.global_project import PROJECT_NAME
from dbt_common.clients.jinja import (
    BaseMacroGenerator,
    MacroFuzzTemplate,
    NativeSandboxTemplate,
)
from dbt_common.exceptions import CompilationError
from dbt_common.exceptions.macros import CaughtMacroErrorWithNodeError, MacroReturn
from dbt_common.utils.jinja import get_dbt_macro_name
from jinja2.defaults import DEFAULT_NAMESPACE
from jinja2.environment import Template
from jinja2.exceptions import TemplateRuntimeError

_to_dict = ManifestContext.to_dict
_build_namespace = ManifestContext._build_namespace
_get_macro = BaseMacroGenerator.get_macro
_new_context = MacroFuzzTemplate.new_context
_Macros = dict[str, Macro]
# what dbt says of every node in any case, which takes it long and few templates read; none of it
# changes while a node is built
_LATE_NAMES = ("exceptions", "invocation_args_dict", "modules")
_LATE = object()


class _Lazy(dict[str, Any]):
    """A dictionary of what `make` makes of `sources`, each when it is first asked for."""

    def __init__(self, sources: Mapping[str, Any], make: Callable[[str, Any], Any]) -> None:
        super().__init__()
        self.sources = sources
        self.make = make

    def __missing__(self, name: str) -> Any:
        value = self[name] = self.make(name, self.sources[name])
        return value

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.sources

    def get(self, name: str, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def setdefault(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else super().setdefault(name, default)

    def __bool__(self) -> bool:
        return bool(self.sources) or super().__len__() > 0

    # who wants to see all of it gets all of it
    def __iter__(self) -> Iterator[str]:
        return super(_Lazy, self._whole()).__iter__()

    def __len__(self) -> int:
        return super(_Lazy, self._whole()).__len__()

    def __eq__(self, other: object) -> bool:
        return super(_Lazy, self._whole()).__eq__(other)

    __hash__ = None

    def keys(self) -> KeysView[str]:  # type: ignore[override]
        return super(_Lazy, self._whole()).keys()

    def values(self) -> ValuesView[Any]:  # type: ignore[override]
        return super(_Lazy, self._whole()).values()

    def items(self) -> ItemsView[str, Any]:  # type: ignore[override]
        return super(_Lazy, self._whole()).items()

    def made(self) -> dict[str, Any]:
        """What is there already."""
        return dict(super().items())

    def copy(self) -> dict[str, Any]:
        return dict(self.items())

    def _whole(self) -> "_Lazy":
        if self.sources:
            for name in self.sources:
                self[name]
            self.sources = {}
        return self


class _Context(_Lazy):
    """What Jinja sees of a node, and may change; what is late there is made when it is read."""

    def __init__(self) -> None:
        super().__init__({}, self._found)

    def serve(self, namespace: "_Namespace", builtins: _Lazy) -> None:
        """Find macros, too; they come before what dbt says of a node, as in dbt."""
        self.namespace = namespace
        self.builtins = builtins
        self["builtins"] = builtins
        said = {"context": self, **builtins.made()}
        for name, value in said.items():
            if name not in namespace.table.flat:
                self[name] = value
        for name, value in DEFAULT_NAMESPACE.items():
            # what Jinja gives to every template, which dbt looks up beside the context
            if name not in namespace.table.flat:
                super().setdefault(name, value)
        self.sources = namespace.table.beside(builtins)

    def _found(self, name: str, found: Any) -> Any:
        return self.builtins[name] if found is _LATE else self.namespace.find(name, found)


class _Table:
    """Which macro has which name, for all nodes of a package."""

    def __init__(
        self, builder: MacroNamespaceBuilder, macros_by_package: dict[str, _Macros]
    ) -> None:
        self.known = {package: dict(macros) for package, macros in macros_by_package.items()}
        packages = dict(self.known)
        self.project: _Macros = {}
        # a plugin of dbt's that is named first wins
        for package in reversed(builder.internal_package_names_order):
            self.project |= packages.pop(package, {})
        self.packages = packages
        # what comes later wins
        # a macro, or that dbt has it, or nothing for a package
        self.flat: dict[str, Macro | str] = dict.fromkeys(self.project, PROJECT_NAME)
        self.flat |= {PROJECT_NAME: "", **dict.fromkeys(packages, "")}
        self.flat |= packages.get(builder.root_package, {})
        self.flat |= packages.get(builder.search_package, {})
        self._beside: dict[frozenset[str], Mapping[str, Any]] = {}

    def beside(self, builtins: _Lazy) -> Mapping[str, Any]:
        """The names of macros, and of what else is late."""
        names = frozenset(builtins.sources)
        if names not in self._beside:
            self._beside[names] = dict.fromkeys(names, _LATE) | self.flat
        return self._beside[names]


# the tables of one project, by root package, package and plugins
_tables: dict[tuple[str, ...], _Table] = {}


def _table(builder: MacroNamespaceBuilder, macros_by_package: dict[str, _Macros]) -> _Table:
    key = (builder.root_package, builder.search_package, *builder.internal_package_names_order)
    table = _tables.get(key)
    # the same macros compare in no time
    if table is None or table.known != macros_by_package:
        table = _tables[key] = _Table(builder, macros_by_package)
    return table


class _Namespace(Mapping[str, Any]):
    """The macros that a node sees, as dbt's `MacroNamespace`."""

    def __init__(
        self, builder: MacroNamespaceBuilder, table: _Table, context: dict[str, Any]
    ) -> None:
        self.table = table
        self._node = builder.node
        self._stack = builder.thread_ctx
        self._context = context
        self._made: dict[int, _Generator] = {}
        self.global_project_namespace = _Lazy(table.project, self._generator)
        self.packages: dict[str, _Lazy] = {
            package: _Lazy(macros, self._generator) for package, macros in table.packages.items()
        }

    def __getitem__(self, name: str) -> Any:
        return self.find(name, self.table.flat[name])

    def find(self, name: str, found: Macro | str) -> Any:
        """What the table found by a name."""
        if not isinstance(found, str):
            return self._generator(name, found)
        if found == PROJECT_NAME:
            # which a unit test may put another one into
            return self.global_project_namespace[name]
        return self.packages.get(name, self.global_project_namespace)

    def __iter__(self) -> Iterator[str]:
        return iter(self.table.flat)

    def __len__(self) -> int:
        return len(self.table.flat)

    def __contains__(self, name: object) -> bool:
        return name in self.table.flat

    def get_from_package(self, package_name: str | None, name: str) -> MacroGenerator | None:
        found: MacroGenerator | None
        if package_name is None:
            found = self.get(name)
        elif package_name == PROJECT_NAME:
            found = self.global_project_namespace.get(name)
        elif package_name in self.packages:
            found = self.packages[package_name].get(name)
        else:
            raise PackageNotFoundForMacroError(package_name)
        return found

    def _generator(self, _name: str, macro: Any) -> "_Generator":
        generator = self._made.get(id(macro))
        if generator is None:
            generator = self._made[id(macro)] = _Generator(
                macro, self._context, self._node, self._stack
            )
        return generator


class _Generator(MacroGenerator):
    """A macro as Jinja calls it, taken out of its template once."""

    macro: Macro

    def __init__(self, macro: Macro, context: dict[str, Any], node: Any, stack: Any) -> None:
        self.macro = macro
        self.context = context
        self.node = node
        self.stack = stack
        self._callable: Callable[..., Any] | None = None

    def call_macro(self, *arguments: Any, **named: Any) -> Any:
        if self._callable is None:
            self._callable = get_macro(self)
        try:
            return self._callable(*arguments, **named)
        except MacroReturn as returned:
            return returned.value
        except (TypeError, TemplateRuntimeError) as error:
            raise CaughtMacroErrorWithNodeError(exc=error, node=self.macro) from error
        except CompilationError as error:
            error.stack.append(self.macro)
            raise


def get_macro(generator: BaseMacroGenerator) -> Callable[..., Any]:
    """What `BaseMacroGenerator.get_macro` gets."""
    context = generator.context
    if not isinstance(context, _Context):
        return _get_macro(generator)
    template = generator.get_template()
    seen = template_context(template, context)
    for _ in template.root_render_func(seen):
        pass
    return seen.vars[get_dbt_macro_name(generator.get_name())]  # type: ignore[no-any-return]


def build_namespace(
    builder: MacroNamespaceBuilder,
    macros_by_package: dict[str, _Macros],
    context: dict[str, Any],
) -> _Namespace:
    """What `MacroNamespaceBuilder.build_namespace` makes."""
    return _Namespace(builder, _table(builder, macros_by_package), context)


def context_namespace(context: ManifestContext) -> Any:
    """What `ManifestContext._build_namespace` makes."""
    context._ctx = _Context()
    return _build_namespace(context)


def context_to_dict(context: ManifestContext) -> dict[str, Any]:
    """What `ManifestContext.to_dict` gives."""
    if not isinstance(context.namespace, _Namespace):
        return _to_dict(context)  # type: ignore[no-any-return, no-untyped-call]
    context._ctx.serve(context.namespace, builtins_of(context))
    return context._ctx


def builtins_of(context: BaseContext) -> _Lazy:
    """What `BaseContext.generate_builtins` gives."""
    members = context._context_members_
    found = _Lazy(
        {name: members[name] for name in _LATE_NAMES if name in members},
        lambda _name, member: member.__get__(context),
    )
    for name, member in members.items():
        if name not in _LATE_NAMES:
            found[name] = member.__get__(context) if hasattr(member, "__get__") else member
    return found


def template_context(
    template: Template,
    variables: dict[str, Any] | None = None,
    shared: bool = False,
    local: Mapping[str, Any] | None = None,
) -> Any:
    """What `Template.new_context` gives, without copies of all that a node sees."""
    if isinstance(variables, _Context) and not shared and not local:
        environment = template.environment
        return environment.context_class(environment, variables, template.name, template.blocks)
    if isinstance(template, MacroFuzzTemplate):
        return _new_context(template, variables, shared, local)
    return Template.new_context(template, variables, shared, local)


REPLACED = (
    (MacroNamespaceBuilder, "build_namespace", build_namespace),
    (ManifestContext, "_build_namespace", context_namespace),
    (ManifestContext, "to_dict", context_to_dict),
    (BaseMacroGenerator, "get_macro", get_macro),
    (MacroFuzzTemplate, "new_context", template_context),
    (NativeSandboxTemplate, "new_context", template_context),
)
