"""Which unions would have their columns in another order on Spark.

With `join ... using (key)` Spark has the key before all columns of `a.*`, DuckDB where `a` has it.
That is the same by name, but a union goes by place.
"""

from sqlglot import exp, parse_one

# the keys that came before the other columns, in the order of the joins
Moved = tuple[str, ...]


def unions_out_of_order(models: dict[str, str]) -> list[str]:
    """The models, each by its SQL, with a union of relations whose keys were moved differently.

    What is moved in a model is moved for its readers, too: each comes after what it reads.
    """
    moved: dict[str, Moved] = {}
    found = []
    for name, sql in models.items():
        query = parse_one(sql, dialect="duckdb")
        reader = _Reader(moved)
        moved[name] = reader.moved(query)
        if reader.is_out_of_order:
            found.append(name)
    return found


class _Reader:
    """Goes through the query of a model, CTE by CTE."""

    def __init__(self, models: dict[str, Moved]) -> None:
        self.relations = dict(models)
        self.is_out_of_order = False

    def moved(self, query: exp.Expr) -> Moved:
        """The keys that stand before the other columns of a query."""
        query = query.unnest()
        for cte in query.ctes if isinstance(query, exp.Query) else []:
            self.relations[cte.alias] = self.moved(cte.this)
        if isinstance(query, exp.SetOperation):
            arms = self.moved(query.left), self.moved(query.right)
            self.is_out_of_order |= arms[0] != arms[1]
            return arms[0]
        if isinstance(query, exp.Select) and query.is_star:
            return self._moved_by_star(query)
        return ()

    def _moved_by_star(self, query: exp.Select) -> Moved:
        starred = {
            column.table
            for column in query.expressions
            if isinstance(column, exp.Column) and column.is_star
        }
        joins = query.args.get("joins") or []
        keys = [key.name for join in joins for key in join.args.get("using") or []]
        read = [query.args["from_"].this, *(join.this for join in joins)]
        inherited = [
            key
            for source in read
            if not starred or source.alias_or_name in starred
            for key in self._moved_in(source)
        ]
        return (*keys, *inherited)

    def _moved_in(self, source: exp.Expr) -> Moved:
        if isinstance(source, exp.Table):
            return self.relations.get(source.name, ())
        return self.moved(source) if isinstance(source, exp.Subquery) else ()
