# The command and the Python package in a small image:
#
#   docker build -t codexec .
#   docker run --rm -v "$PWD:/work" codexec trace prog.py
#
# Programs that are executed (`--engine run`, guide, prefix, diff) need namespaces, which Docker refuses by default:
# add --security-opt seccomp=unconfined --security-opt apparmor=unconfined. Untried: no Docker stands where codexec is built.
FROM rust:1.95-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends python3-venv && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN python3 -m venv /venv && /venv/bin/pip wheel --no-deps --wheel-dir /wheels .

FROM python:3.11-slim-bookworm
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir /wheels/*.whl && rm -r /wheels
WORKDIR /work
ENTRYPOINT ["codexec"]
