"""A release as Croissant metadata, version 1.1, with the responsible-AI fields.

Source: the Croissant Format Specification 1.1 and Croissant RAI 1.0 of MLCommons; the context is
the one that mlcroissant 1.1 writes, and PROV-O of the W3C. NeurIPS asks for eight of the fields.
"""

from collections.abc import Iterator
from typing import Any, Final

import pyarrow as pa

from gainsay.release.contents import Contents, Input
from gainsay.release.files import PICTURES_STEM, File, Table
from gainsay.release.identity import Identity

Json = dict[str, Any]

CONFORMS_TO: Final = [
    "http://mlcommons.org/croissant/1.1",
    "http://mlcommons.org/croissant/RAI/1.0",
]
_CONTEXT: Final[Json] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "prov": "http://www.w3.org/ns/prov#",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
# the field of RAI for the texts of a field, where there are any
_RAI: Final = {
    "rai:annotatorDemographics": "annotators",
    "rai:dataAnnotationProtocol": "annotation",
    "rai:dataBiases": "bias",
    "rai:dataCollection": "collection",
    "rai:dataLimitations": "limitation",
    "rai:dataReleaseMaintenancePlan": "maintenance",
    "rai:dataManipulationProtocol": "manipulation",
    "rai:dataSocialImpact": "social_impact",
    "rai:dataUseCases": "use_case",
    "rai:personalSensitiveInformation": "sensitive",
}
# of these the extension has one text, of the others a list
_SINGLE: Final = (
    "rai:dataCollection", "rai:dataReleaseMaintenancePlan", "rai:dataManipulationProtocol",
    "rai:dataSocialImpact",
)  # fmt: skip
# what was done, by the texts that say how
_ACTIVITIES: Final = (
    ("Data collection", "collection"),
    ("Data annotation", "annotation"),
    ("Data manipulation", "manipulation"),
)
# those that are not so of files that were made up
_OF_SOURCES: Final = ("annotators", "annotation", "bias", "collection", "sensitive")
_PICTURE: Final = "The picture."
_TYPES: Final = {
    "string": "sc:Text", "int32": "cr:Int32", "int64": "cr:Int64", "bool": "sc:Boolean",
    "double": "cr:Float64",
}  # fmt: skip


def croissant(
    contents: Contents,
    identity: Identity,
    files: list[File],
    tables: list[Table],
    formats: dict[str, list[File]],
) -> Json:
    """The metadata of a release.

    `files` are those of the `tables`, each listed with its hash; of each export format there is one
    set of files, whose hashes are in the list of checksums.
    """
    creator = {"@type": "sc:Organization", "name": identity.creator}
    metadata: Json = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": contents.benchmark,
        "alternateName": identity.title,
        "description": contents.description,
        "inLanguage": contents.all("language"),
        "keywords": contents.all("keyword") + ["synthetic"] * bool(contents.synthetic_inputs),
        "license": _of_records(contents),
        "creator": creator,
        "publisher": creator,
        "datePublished": identity.date_published,
        "version": identity.version,
        "url": identity.url,
        "citeAs": identity.citation,
        "isLiveDataset": False,
        "distribution": [
            *(_file_object(file, _licenses(contents, file.name)) for file in files),
            *(_file_set(table, _licenses(contents, table.stem)) for table in tables),
            *(
                _format_set(name, members, _licenses(contents, "formats"))
                for name, members in formats.items()
            ),
        ],
        "recordSet": [_splits(contents), *(_record_set(table) for table in tables)],
    }
    return metadata | dict(_responsible_ai(contents)) | dict(_provenance(contents, identity))


def _licenses(contents: Contents, stem: str) -> list[str | Json]:
    """The licences of files: pictures have their own, records theirs."""
    of_pictures: list[str | Json] = []
    of_pictures += sorted({credit.license_url for credit in contents.given if credit.license_url})
    if stem.startswith(PICTURES_STEM):
        return of_pictures or _of_records(contents)
    return _of_records(contents) + (of_pictures if stem == "formats" else [])


def _of_records(contents: Contents) -> list[str | Json]:
    """The address of the licence of records, and whose texts among them have none that is known."""
    return [
        *contents.record_licenses,
        *(
            {"@type": "sc:CreativeWork", "name": f"unknown licence: {holds}"}
            for holds in contents.unlicensed
        ),
    ]


def _texts(contents: Contents, texts_of: str) -> list[str]:
    """The texts of a field, each saying where it is of the official files alone."""
    texts = contents.all(texts_of)
    if contents.synthetic_note and texts_of in _OF_SOURCES:
        texts = [f"Of the official files: {text}" for text in texts]
    if contents.synthetic_note and texts_of == "collection" and texts:
        texts = [f"{contents.synthetic_note} {texts[0]}"]
    return texts


def _provenance(contents: Contents, identity: Identity) -> Iterator[tuple[str, Any]]:
    """What the release was made of, what was done to it, and whether a program made some of it."""
    yield (
        "rai:hasSyntheticData",
        # what is manipulated has texts or pictures that no person wrote or took
        bool(contents.synthetic_inputs or contents.all("manipulation")),
    )
    yield "prov:wasDerivedFrom", [_source(one) for one in contents.inputs]
    code = {
        f"{item} {value}"
        for manifest in contents.manifests.values()
        for item, measures in manifest.get("code", {}).items()
        for measure, value in measures.items()
        if measure == "version"
    }
    n_candidates = sum(total.n for total in contents.funnel)
    yield (
        "prov:wasGeneratedBy",
        [
            *(
                _activity(label, " ".join(texts))
                for label, texts_of in _ACTIVITIES
                if (texts := _texts(contents, texts_of))
            ),
            _activity(
                "Screening",
                f"{n_candidates:,} candidates were screened by rules, which"
                f" rai:dataPreprocessingProtocol counts; the manifest, sha256"
                f" {identity.manifest_sha256}, has all that decided.",
            )
            | {
                "prov:wasAssociatedWith": [
                    {"@type": "prov:SoftwareAgent", "prov:label": name} for name in sorted(code)
                ]
            },
        ],
    )


def _source(one: Input) -> Json:
    """A file that the release was made of: its content names it."""
    source: Json = {
        "@id": f"urn:sha256:{one.sha256}",
        "@type": "prov:Entity",
        "prov:label": f"{one.source_file}: {one.holds or 'of an unknown kind'}",
        "sc:license": one.license_url or "unknown",
    }
    return source | ({"sc:url": one.stated_at} if one.stated_at else {})


def _activity(label: str, description: str) -> Json:
    return {"@type": "prov:Activity", "prov:label": label, "sc:description": description}


def _responsible_ai(contents: Contents) -> Iterator[tuple[str, Any]]:
    for name, texts_of in _RAI.items():
        if texts := _texts(contents, texts_of):
            yield name, texts[0] if name in _SINGLE else texts
    yield (
        "rai:dataCollectionRawData",
        "; ".join(
            f"{one.source_file}: {one.holds or 'of an unknown kind'}, {one.n_records or 0:,}"
            f" records, sha256 {one.sha256}{', synthetic' if one.is_synthetic else ''}"
            for one in contents.inputs
        ),
    )
    # how many candidates each stage dropped, as the warehouse counts them
    yield (
        "rai:dataPreprocessingProtocol",
        [
            f"{total.screening}: {total.n:,} candidates "
            + (
                "retained"
                if total.stage == "retained"
                else f"dropped at {total.stage}: {total.description} ({total.reason})"
            )
            for total in contents.funnel
        ],
    )
    if contents.readings:
        yield (
            "rai:dataAnnotationAnalysis",
            [
                f"audited by reading, {reading.name}: {reading.n_right:,} of {reading.n:,} right;"
                f" judged was {contents.judged[reading.name]}"
                for reading in contents.readings
            ],
        )
    missing = [
        f"{n:,} records without a picture: {state}" for state, n in contents.incomplete.items()
    ]
    if missing:
        yield "rai:dataCollectionMissingData", "; ".join(missing)


def _file_object(file: File, licenses: list[str | Json]) -> Json:
    return {
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "contentUrl": file.name,
        "contentSize": f"{file.n_bytes} B",
        "encodingFormat": file.encoding_format,
        "license": licenses,
        "sha256": file.sha256,
    }


def _file_set(table: Table, licenses: list[str | Json]) -> Json:
    return {
        "@type": "cr:FileSet",
        "@id": f"{table.name}-files",
        "name": f"{table.name}-files",
        "description": table.description,
        "encodingFormat": "application/x-parquet",
        "includes": f"{table.stem}*.parquet",
        "license": licenses,
    }


def _format_set(name: str, members: list[File], licenses: list[str | Json]) -> Json:
    return {
        "@type": "cr:FileSet",
        "@id": f"{name}-files",
        "name": f"{name}-files",
        "description": f"The records in the format {name}.",
        "encodingFormat": sorted({file.encoding_format for file in members}),
        "includes": f"{name}/*",
        "license": licenses,
    }


def _splits(contents: Contents) -> Json:
    """The splits by name."""
    return {
        "@type": "cr:RecordSet",
        "@id": "splits",
        "name": "splits",
        "description": "The splits of the examples.",
        "dataType": "cr:Split",
        "key": {"@id": "splits/name"},
        "field": [
            {
                "@type": "cr:Field",
                "@id": "splits/name",
                "name": "name",
                "description": "Name of the split.",
                "dataType": "sc:Text",
            }
        ],
        "data": [{"splits/name": split} for split in contents.n_records],
    }


def _record_set(table: Table) -> Json:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.description,
        "key": [{"@id": f"{table.name}/{column}"} for column in table.key],
        "field": [_field(table, column) for column in table.schema],
    }


def _field(table: Table, column: pa.Field) -> Json:
    name = f"{table.name}/{column.name}"
    source: Json = {"fileSet": {"@id": f"{table.name}-files"}, "extract": {"column": column.name}}
    described = table.columns.get(column.name)
    meta = described.meta if described else {}
    field: Json = {
        "@type": "cr:Field",
        "@id": name,
        "name": column.name,
        # the bytes of a picture are a column of the file, and of no model
        "description": " ".join((described.description if described else _PICTURE).split()),
    }
    if "schema_property" in meta:
        field["equivalentProperty"] = f"sc:{meta['schema_property']}"
    if column.name in table.references:
        # by the files, since mlcroissant reads a field's whole record set value by value to join it
        named, _, key = table.references[column.name].partition("/")
        field["references"] = {"fileSet": {"@id": f"{named}-files"}, "extract": {"column": key}}
    if pa.types.is_struct(column.type):
        # a picture, as `datasets` keeps one
        source["transform"] = {"jsonPath": "bytes"}
        return field | {"dataType": "sc:ImageObject", "source": source}
    if pa.types.is_list(column.type):
        field |= {"isArray": True, "arrayShape": "-1", "repeated": True}
        return field | {"dataType": _TYPES[str(column.type.value_type)], "source": source}
    is_decimal = pa.types.is_decimal(column.type)
    types = ["cr:Float64" if is_decimal else _TYPES[str(column.type)]]
    if meta.get("croissant_type") == "cr:Split":
        # what a text means is said beside its type
        types.append("cr:Split")
    elif "croissant_type" in meta:
        types = [meta["croissant_type"]]
    return field | {"dataType": types[0] if len(types) == 1 else types, "source": source}
