"""Where the tables of Spark are, and how its session is made."""

import os
import shlex
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from gainsay.foundation.errors import GainsayError
from gainsay.python_udfs.installing import install_command

# no table of the project is read or written before it is asked for, so what a user or a
# cluster configures wins over these
_SETTINGS: Mapping[str, str] = {
    "spark.app.name": "gainsay",
    "spark.log.level": "ERROR",
    "spark.ui.enabled": "false",
    # settings that keep the results equal to those of DuckDB
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.timestampType": "TIMESTAMP_NTZ",
    # tables, plans and functions
    "spark.sql.sources.default": "parquet",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.parquet.compression.codec": "zstd",
    # files are a fifth of their rows in memory: by their bytes alone too many would be sent
    # to the driver, and from it to everybody
    "spark.sql.sources.fileCompressionFactor": "5",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # compiled with the stage around it, a union is sent to tasks as a plan that points to itself,
    # which no task of Spark 4.3 can read: evaluation__predictions is such a one
    "spark.sql.codegen.wholeStage.union.enabled": "false",
}
# a machine of its own: as many shuffle partitions as its cores can use, AQE joins small ones
_LOCAL_SETTINGS: Mapping[str, str] = {
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "16",
}
_DRIVER_MEMORY = "4g"
_NO_JAVA = "install Java 17 or later, on Debian openjdk-17-jre-headless, or set JAVA_HOME"


def spark_warehouse() -> str:
    """The folder or URI of Spark's tables: `GAINSAY_SPARK_WAREHOUSE`, or `data/spark`."""
    named = os.environ.get("GAINSAY_SPARK_WAREHOUSE", "data/spark")
    return named if "://" in named else str(Path(named).absolute())


@contextmanager
def spark_session(*, master: str | None = None, settings: Sequence[str] = ()) -> Iterator[Any]:
    """Make the session of this process and stop it at the end.

    `master` and `settings` (`KEY=VALUE`) are those of `spark-submit`. A setting that neither
    they nor the Spark configuration of the machine name is the house's own: ANSI mode, UTC,
    Parquet, and without a Hive metastore an embedded one in the warehouse's folder.

    Raises `GainsayError` without PySpark or Java, and when another process uses the embedded
    metastore.
    """
    try:
        from pyspark import SparkConf, SparkContext
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise GainsayError(
            f"Spark needs PySpark ({error}); install it: {install_command('spark')}"
        ) from error
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        raise GainsayError(f"Spark needs Java, which is not here; {_NO_JAVA}")

    warehouse = spark_warehouse()
    metastore = _metastore_folder(warehouse)
    _prepare_environment(master, settings)
    try:
        # the JVM reads the machine's Spark configuration; ours only fills what it leaves open
        SparkContext._ensure_initialized()
    except Exception as error:
        raise GainsayError(f"Java could not be started ({error}); {_NO_JAVA}") from error
    assert SparkContext._jvm is not None
    SparkContext._jvm.java.lang.System.setProperty("derby.system.home", str(metastore))
    conf = SparkConf()
    is_local = conf.get("spark.master", "local").startswith("local")
    for name, value in {
        "spark.sql.warehouse.dir": f"{warehouse}/tables",
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={metastore / 'metastore'};create=true"
        ),
        **_SETTINGS,
        **(_LOCAL_SETTINGS if is_local else {}),
    }.items():
        conf.setIfMissing(name, value)
    if not sys.stderr.isatty():
        # PySpark sets it for a terminal
        conf.set("spark.ui.showConsoleProgress", "false")
    session = SparkSession.builder.config(conf=conf).enableHiveSupport().getOrCreate()
    try:
        _open_metastore(session, metastore)
        if not is_local:
            session.sparkContext.addPyFile(str(packages_archive()))
        yield session
    finally:
        session.stop()


def _metastore_folder(warehouse: str) -> Path:
    """Where the embedded metastore is: beside the tables, or here when those are far."""
    folder = Path("data/spark").absolute() if "://" in warehouse else Path(warehouse)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GainsayError(
            f"{folder}: cannot be made: {error.strerror}; set GAINSAY_SPARK_WAREHOUSE"
        ) from error
    return folder


def _prepare_environment(master: str | None, settings: Sequence[str]) -> None:
    """Say to the JVM that PySpark starts what `spark-submit` would be told."""
    # a local session does its work in the driver; any other way of setting it wins over this
    os.environ.setdefault("SPARK_DRIVER_MEMORY", _DRIVER_MEMORY)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    options = ["--master", master] if master else []
    for setting in settings:
        if "=" not in setting:
            raise GainsayError(f"--conf {setting}: expected KEY=VALUE, as of spark-submit")
        options += ["--conf", setting]
    if options:
        former = os.environ.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
        former = former.removesuffix("pyspark-shell").strip()
        os.environ["PYSPARK_SUBMIT_ARGS"] = f"{former} {shlex.join(options)} pyspark-shell".strip()


def _open_metastore(session: Any, metastore: Path) -> None:
    try:
        session.sql("show databases").collect()
    except Exception as error:
        # Derby's own words, at the bottom of many others
        if "XSDB6" in getattr(error, "_stackTrace", ""):
            raise GainsayError(
                f"{metastore}: another process uses these Spark tables; wait for it, or set"
                " GAINSAY_SPARK_WAREHOUSE"
            ) from error
        raise GainsayError(f"{metastore}: the metastore cannot be opened: {error}") from error


def forget_torn_tables(session: Any) -> None:
    """Remove files of tables that a killed build was writing, which no metastore knows.

    Only where the metastore is the embedded one, which this process alone can use: what
    another is writing looks alike.
    """
    sql = session.sql
    url = session.sparkContext._jsc.hadoopConfiguration().get("javax.jdo.option.ConnectionURL")
    if not (url or "").startswith("jdbc:derby:"):
        return
    if not sql("show databases like 'gainsay_store'").collect():
        return
    (location,) = (
        row["info_value"]
        for row in sql("describe database gainsay_store").collect()
        if row["info_name"] == "Location"
    )
    known = {row["tableName"] for row in sql("show tables in gainsay_store").collect()}
    folder = session.sparkContext._jvm.org.apache.hadoop.fs.Path(location)
    files = folder.getFileSystem(session.sparkContext._jsc.hadoopConfiguration())
    if files.exists(folder):
        for entry in files.listStatus(folder):
            if entry.isDirectory() and entry.getPath().getName() not in known:
                files.delete(entry.getPath(), True)


def packages_archive() -> Path:
    """The functions, and what writes exports, for executors that do not have them installed."""
    package = Path(__file__).parents[1]
    archive = Path(tempfile.mkdtemp(prefix="gainsay-")) / "gainsay_packages.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        # in a checkout the functions are behind a link, which `*` follows and `**` does not
        for path in sorted([*package.glob("*.py"), *package.glob("*/**/*.py")]):
            file.write(path, path.relative_to(package.parent))
    return archive
