"""Where every column of every model comes from, read off the SQL that dbt compiled.

sqlglot parses and qualifies each model against the columns of what it reads; the walk from an
output column down to the columns of those relations is done here. dbt-colibri draws a similar
graph but asks for the catalog of a built warehouse, knows no Spark, and passes over what it
cannot resolve, where this stops: a column without an origin is an error.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from graphlib import TopologicalSorter
from typing import NamedTuple

import duckdb
import pyarrow as pa
from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, build_scope, find_all_in_scope
from sqlglot.schema import MappingSchema

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.sinks.duckdb import ensure_raw_schema, transaction
from gainsay.project.compiled import Node, Project

WHOLE_ROWS = "*"
"""Stands for the rows of a relation where no column of it is meant."""

_FROM_TYPES = {"model": "model", "seed": "seed", "source": "raw"}


class Kind(StrEnum):
    """One use of a column by a model that reads it."""

    PASSED = "passed"
    """the value as it is, perhaps under another name"""
    DERIVED = "derived"
    """a part of what the value is computed from"""
    COUNTED = "counted"
    """the value says how many rows there are, or which one this is, and reads none of them"""
    CONSTANT = "constant"
    """a literal of the model, which a var may have put there"""
    ROWS = "rows"
    """decides which rows there are: filters, joins, groups"""


class Edge(NamedTuple):
    """One step from a column of a model to where it comes from.

    `column_name` is `*` where all rows are meant, `from_column` where rows are counted; a
    constant comes from nowhere and has its SQL in `literal`.
    """

    model: str
    column_name: str
    from_model: str | None
    from_column: str | None
    from_type: str | None
    kind: Kind
    literal: str | None


_SCHEMA = pa.schema([(name, pa.string()) for name in Edge._fields])

_Leaf = tuple[str, str, str]  # schema, relation, column


@dataclass
class _Origin:
    """The origins of a column: columns of relations with what is done to them, and literals."""

    leaves: dict[_Leaf, Kind] = field(default_factory=dict)
    literals: dict[str, None] = field(default_factory=dict)

    def add(self, other: "_Origin", kind: Kind | None = None) -> None:
        """Take up another origin; what is passed on in one way only counts as passed."""
        for leaf, found in other.leaves.items():
            new = kind if kind and found is not Kind.COUNTED else found
            former = self.leaves.get(leaf, new)
            self.leaves[leaf] = new if former is new else Kind.DERIVED
        self.literals |= other.literals


def column_edges(project: Project, dialect: str = "duckdb") -> list[Edge]:
    """The edges of all columns of all models of a compiled project, in a fixed order.

    Raises `GainsayError` for SQL that cannot be parsed or names a column that its relation does
    not have, and for a column whose origin cannot be found.
    """
    known = {node.relation: node for type_ in _FROM_TYPES for node in project.of_type(type_)}
    schema = MappingSchema(dialect=dialect)
    for node in known.values():
        if node.resource_type != "model":
            _add_to_schema(schema, node, node.columns, dialect)
    edges: list[Edge] = []
    for model in _in_build_order(project):
        scope = _scope(model, schema, dialect)
        _add_to_schema(schema, model, _outputs(scope), dialect)
        edges += _edges_of(model, _Walk(dialect), scope, known)
    return sorted(edges, key=lambda edge: tuple(value or "" for value in edge))


def edge_rows(edges: Iterable[Edge], code_fingerprint: str) -> pa.Table:
    """Edges as rows of `raw.column_edges`, landed now."""
    rows = pa.Table.from_pylist(
        [edge._asdict() | {"kind": str(edge.kind)} for edge in edges], _SCHEMA
    )
    landed_at = pa.scalar(datetime.now(UTC).replace(tzinfo=None), pa.timestamp("us"))
    rows = rows.append_column("_code_md5", pa.repeat(pa.scalar(code_fingerprint), len(rows)))
    return rows.append_column("_landed_at", pa.repeat(landed_at, len(rows)))


def land_edges(connection: duckdb.DuckDBPyConnection, rows: pa.Table) -> None:
    """Replace what `raw.column_edges` of a DuckDB warehouse holds."""
    with transaction(connection):
        ensure_raw_schema(connection)
        connection.execute("delete from raw.column_edges")
        connection.register("landing", rows)
        connection.execute("insert into raw.column_edges by name from landing")
        connection.unregister("landing")


def parse(model: Node, dialect: str) -> exp.Expr:
    """A model's compiled SQL as a tree. Raises `GainsayError` where it is no SQL of the dialect."""
    try:
        return parse_one(model.compiled_code or "", dialect=dialect)
    except SqlglotError as error:
        raise GainsayError(f"{model.path}: not read as SQL of {dialect}: {error}") from error


def _in_build_order(project: Project) -> Iterator[Node]:
    models = {model.unique_id: model for model in project.of_type("model")}
    graph = {name: sorted(models.keys() & model.depends_on.nodes) for name, model in models.items()}
    return (models[name] for name in TopologicalSorter(graph).static_order())


def _add_to_schema(schema: MappingSchema, node: Node, columns: Iterable[str], dialect: str) -> None:
    """Make the columns of a relation known; their types have no say in where they come from."""
    schema.add_table(
        exp.table_(node.name, db=node.schema, quoted=True),
        dict.fromkeys(columns, "text"),
        dialect=dialect,
    )


def _scope(model: Node, schema: MappingSchema, dialect: str) -> Scope:
    tree = parse(model, dialect)
    for table in tree.find_all(exp.Table):
        # the name of a warehouse depends on the target
        table.set("catalog", None)
    try:
        qualified = qualify(tree, dialect=dialect, schema=schema)
        scope = build_scope(qualified)
    except SqlglotError as error:
        raise GainsayError(f"{model.path}: its columns are not clear: {error}") from error
    assert scope is not None, model.path
    return scope


def _edges_of(
    model: Node, walk: "_Walk", scope: Scope, known: dict[tuple[str, str], Node]
) -> Iterator[Edge]:
    """The edges of one model, from the scope of its SQL."""

    def of_leaf(column: str, leaf: _Leaf, kind: Kind) -> Edge:
        node = known[leaf[:2]]
        type_ = _FROM_TYPES[node.resource_type]
        return Edge(model.name, column, node.known_as, leaf[2], type_, kind, None)

    for column in _outputs(scope):
        origin = walk.output(scope, column)
        for leaf, kind in origin.leaves.items():
            yield of_leaf(column, leaf, kind)
        if origin.leaves:
            continue
        if not origin.literals:
            raise GainsayError(f"{model.path}: where {column} comes from could not be found")
        literal = " | ".join(sorted(origin.literals))
        yield Edge(model.name, column, None, None, None, Kind.CONSTANT, literal)
    for leaf in walk.deciding_rows(scope).leaves:
        if leaf[2] != WHOLE_ROWS:
            yield of_leaf(WHOLE_ROWS, leaf, Kind.ROWS)


class _Walk:
    """The way down from the columns of one query to those of the relations that it reads."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.found: dict[tuple[int, str], _Origin] = {}

    def output(self, scope: Scope, column: str) -> _Origin:
        """The origin of a column that a scope puts out."""
        key = id(scope), column
        if key not in self.found:
            # a column that a recursive query reads of itself has no other origin
            self.found[key] = _Origin()
            self.found[key] = self._output(scope, column)
        return self.found[key]

    def deciding_rows(self, root: Scope) -> _Origin:
        """The columns by which a query and all within it filter, join and group."""
        origin = _Origin()
        for scope in root.traverse():
            if not isinstance(scope.expression, exp.Select):
                continue
            for clause in _clauses_on_rows(scope.expression):
                origin.add(self._columns_within(scope, clause), Kind.ROWS)
        return origin

    def _output(self, scope: Scope, column: str) -> _Origin:
        query = scope.expression
        if isinstance(query, exp.SetOperation):
            # the arms of a union fit together by position, whatever their columns are called
            position = query.named_selects.index(column)
            origin = _Origin()
            for arm in scope.set_operation_scopes:
                origin.add(self.output(arm, _outputs(arm)[position]))
            return origin
        if isinstance(query, exp.Select):
            chosen = next(item for item in query.selects if column in _names(item))
            return self._expression(scope, chosen.unalias())
        if isinstance(query, exp.Subquery):
            return self.output(_scope_in_parentheses(scope), column)
        # rows made of an expression, such as the elements of a list
        origin = _Origin()
        origin.add(self._columns_within(scope, query), Kind.DERIVED)
        return origin

    def _expression(self, scope: Scope, expression: exp.Expr) -> _Origin:
        expression = expression.unnest()
        if isinstance(expression, exp.Column):
            return self._column(scope, expression)
        origin = _Origin()
        origin.add(self._columns_within(scope, expression), Kind.DERIVED)
        if not origin.leaves and expression.find(exp.AggFunc, exp.Window):
            for leaf in self._relations(scope):
                origin.leaves[leaf] = Kind.COUNTED
        if not origin.leaves and not origin.literals:
            origin.literals[expression.sql(self.dialect)] = None
        return origin

    def _columns_within(self, scope: Scope, expression: exp.Expr) -> _Origin:
        """The origins of all columns in an expression, those of its subqueries included."""
        origin = _Origin()
        for column in find_all_in_scope(expression, exp.Column):
            origin.add(self._column(scope, column))
        for subquery in scope.subquery_scopes:
            if not _is_within(subquery.expression, expression):
                continue
            for name in _outputs(subquery):
                origin.add(self.output(subquery, name))
            # which rows it finds is what it says
            origin.add(self.deciding_rows(subquery), Kind.DERIVED)
        return origin

    def _column(self, scope: Scope, column: exp.Column) -> _Origin:
        source = _source(scope, column.table)
        if isinstance(source, Scope):
            return self.output(source, column.name)
        if source is None:
            return _Origin()
        return _Origin({(source.db, source.name, column.name): Kind.PASSED})

    def _relations(self, scope: Scope) -> Iterator[_Leaf]:
        """The relations whose rows a scope reads, directly or through others."""
        for arm in scope.set_operation_scopes:
            yield from self._relations(arm)
        for _, source in scope.selected_sources.values():
            if isinstance(source, Scope):
                yield from self._relations(source)
            else:
                yield source.db, source.name, WHOLE_ROWS


def _outputs(scope: Scope) -> list[str]:
    """The names of the columns that a scope puts out, in their order."""
    assert isinstance(scope.expression, exp.Selectable), scope
    return scope.expression.named_selects


def _names(item: exp.Expr) -> list[str]:
    """The columns that an item of a select list makes; a function that makes rows, several."""
    if isinstance(item, exp.Aliases):
        return [alias.name for alias in item.expressions]
    return [item.alias_or_name]


def _clauses_on_rows(select: exp.Select) -> Iterator[exp.Expr]:
    for name in ("where", "group", "having", "qualify", "distinct"):
        if clause := select.args.get(name):
            yield clause
    for join in select.args.get("joins") or ():
        if condition := join.args.get("on"):
            yield condition


def _is_within(inner: exp.Expr, outer: exp.Expr) -> bool:
    node: exp.Expr | None = inner
    while node is not None and node is not outer:
        node = node.parent
    return node is outer


def _scope_in_parentheses(scope: Scope) -> Scope:
    """The scope of the query in a parenthesis."""
    return (*scope.derived_table_scopes, *scope.subquery_scopes)[0]


def _source(scope: Scope, name: str) -> exp.Table | Scope | None:
    """The source that a name stands for in a scope or around it; none for a lambda's name."""
    around: Scope | None = scope
    while around is not None:
        if name in around.sources:
            return around.sources[name]
        around = around.parent
    return None
