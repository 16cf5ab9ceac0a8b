# gainsay with all that it needs, for machines that have no Python 3.11 or are not to get it:
#
#   docker build --tag gainsay .
#   docker run --rm --volume "$PWD:/work" gainsay demo
#
# What it writes lands in the current folder. tests/python/test_dockerfile.py runs these steps as a
# script, without Docker: they name no path but in WORKDIR and ENV, and change nothing else.
FROM python:3.12-slim

WORKDIR /gainsay
COPY . .
# for OCR; all else that a program must bring is in Python's packages
RUN command -v tesseract >/dev/null || { . ./.ci/debian && debian tesseract-ocr; }
RUN ./.ci/install python3 .venv review,plots

ENV PATH=/gainsay/.venv/bin:$PATH
ENV DO_NOT_TRACK=1
WORKDIR /work
ENTRYPOINT ["gainsay"]
CMD ["--help"]
