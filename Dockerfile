# syntax=docker/dockerfile:1
ARG PYTHON=3.13
# Another registry's copy of the same image: --build-arg BASE=registry.example/python:3.13-slim
ARG BASE=python:${PYTHON}-slim

# The builder has a C compiler and the locked build tools; only /opt/bestmove goes into the image.
FROM ${BASE} AS builder

# The distribution keeps only the newest version of a package, so a pinned version would soon be missing.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install --yes --no-install-recommends gcc libc6-dev \
 && rm -rf /var/lib/apt/lists/*

ENV PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_ROOT_USER_ACTION=ignore

# label.lock also has the packages that `bestmove label` needs.
ARG REQUIREMENTS=requirements.lock

WORKDIR /build
COPY deploy/${REQUIREMENTS} deploy/build.lock deploy/

# The environment in the image has no pip: the builder's pip installs into it.
RUN python -m venv --without-pip /opt/bestmove \
 && pip --python /opt/bestmove/bin/python install \
    --require-hashes --no-deps --only-binary :all: --requirement "deploy/${REQUIREMENTS}" \
 && pip install --require-hashes --no-deps --only-binary :all: --requirement deploy/build.lock

COPY . .
RUN pip wheel --no-build-isolation --no-deps --no-index --wheel-dir /wheel . \
 && pip --python /opt/bestmove/bin/python install --no-deps --no-index /wheel/*.whl

# Outside the checkout, so that Python imports the wheel. A failed compilation silently makes an
# uncompiled wheel, which must stop the build here.
WORKDIR /
RUN /opt/bestmove/bin/python -I /build/deploy/verify_wheel.py


FROM ${BASE}

ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Best Move" \
      org.opencontainers.image.description="A REST microservice that is handed a board and answers with the best move." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

COPY --from=builder /opt/bestmove /opt/bestmove

ENV PATH=/opt/bestmove/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    BESTMOVE_HOST=* \
    PORT=8000

# A number, so that Kubernetes can see without /etc/passwd that it is not root.
USER 10001:10001
EXPOSE 8000
STOPSIGNAL SIGTERM

HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-IS", "-c", "import http.client, os, sys; c = http.client.HTTPConnection('127.0.0.1', int(os.environ.get('BESTMOVE_PORT') or os.environ['PORT']), timeout=2); c.request('GET', '/healthz'); sys.exit(c.getresponse().status != 200)"]

CMD ["gunicorn", "--config", "python:bestmove.gunicorn_conf"]
