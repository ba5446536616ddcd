# Kenning in one image: docker build -t kenning . (deploy/README.md). Two stages: the build with everything, the image with what
# runs.

# The base needs node at least 20.19; 22 is what `npm test` was run on in the image. scripts/pin-images adds the digest
# (NAME:TAG@sha256:…), without which the tag may mean other bytes each day.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /src
# The packages first: they change less often than the sources.
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build -- --noCheck && npm prune --omit=dev --no-audit --no-fund
# Tesseract's data of further languages, such as "deu fra": English is always in.
ARG OCR_LANGUAGES=""
RUN for code in ${OCR_LANGUAGES}; do packages="$packages @tesseract.js-data/$code"; done; \
    if [ -n "$packages" ]; then npm install --no-save --no-audit --no-fund $packages; fi
# What packages have for other uses: documentation and types.
RUN rm -rf node_modules/*/docs node_modules/*/test node_modules/.cache && \
    find node_modules \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -type f -delete

FROM ${NODE_IMAGE}
# tini: orphans of killed parsers are reaped, signals reach the supervisor. util-linux: parsers without a network where the runtime
# allows user namespaces. git and rclone: sources that Kenning keeps in step.
RUN apt-get update && \
    apt-get install -y --no-install-recommends ca-certificates git rclone tini util-linux && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt /usr/local/lib/node_modules /opt/yarn* && \
    groupadd --gid 10001 kenning && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home kenning && \
    install -d -o 10001 -g 10001 -m 700 /data
WORKDIR /app
COPY --from=build /src/package.json ./
COPY --from=build /src/dist/package.json ./dist/
COPY --from=build /src/dist/src ./dist/src
COPY --from=build /src/dist/web ./dist/web
COPY --from=build /src/dist/cluster ./dist/cluster
COPY --from=build /src/dist/scripts ./dist/scripts
COPY --from=build /src/migrations ./migrations
COPY --from=build /src/model ./model
COPY --from=build /src/examples ./examples
COPY --from=build /src/docs ./docs
COPY --from=build /src/openapi.json /src/LICENSE /src/NOTICE /src/CHANGELOG.md ./
COPY --from=build /src/node_modules ./node_modules
COPY --from=build /src/scripts/scheduled-backup /usr/local/bin/
RUN printf '#!/bin/sh\nexec node /app/dist/src/main.js "$@"\n' >/usr/local/bin/kenning && chmod 755 /usr/local/bin/kenning
# The allocator's limits are what the supervisor gives its processes (docs/decisions/0004); one with KENNING_ROLE has no supervisor.
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072 KENNING_HOST=0.0.0.0 KENNING_PORT=8484 KENNING_DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 8484
# Every role answers it, a worker too.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.KENNING_PORT||8484)+'/healthz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# What registries and scanners show of the image (OCI annotations). scripts/release gives the values; of a build by hand they are
# empty.
ARG NODE_IMAGE
ARG VERSION=""
ARG REVISION=""
ARG CREATED=""
ARG SOURCE=""
ARG DOCUMENTATION=""
LABEL org.opencontainers.image.title="Kenning" \
      org.opencontainers.image.description="Self-hosted knowledge service: documents in, exact search, a knowledge graph and cited answers out." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.url="${SOURCE}" \
      org.opencontainers.image.documentation="${DOCUMENTATION}" \
      org.opencontainers.image.base.name="${NODE_IMAGE}"
ENTRYPOINT ["tini", "--", "kenning"]
CMD ["serve"]
