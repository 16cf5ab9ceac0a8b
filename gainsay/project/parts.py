"""What of a checkout is the dbt project: shipped in the wheel, and copied by `gainsay init`.

The build of the wheel reads this file alone, without the package around it.
"""

PROJECT_PARTS = (
    "dbt_project.yml",
    "selectors.yml",
    "profiles",
    "models",
    "analyses",
    "macros",
    "seeds",
    "tests/sql",
    "tests/generic",
    # what releases say of the audit by reading
    "tests/readings",
)
