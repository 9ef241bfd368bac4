# flower in a container: a non-root user, git, and what the package needs. How to run it: docs/deploy.md.
FROM node:24-bookworm-slim AS build
WORKDIR /flower
COPY package.json package-lock.json ./
# Optional packages stay: the harness's binary and SQLite come as such. No package's script has to run.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates git \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /flower/package.json /opt/flower/package.json
COPY --from=build /flower/node_modules /opt/flower/node_modules
COPY --from=build /flower/dist /opt/flower/dist
RUN ln -s /opt/flower/dist/cli/main.js /usr/local/bin/flower \
  && mkdir /work && chown node:node /work
USER node
# Everything flower keeps lies with the work: mount a folder here, or it is gone with the container.
WORKDIR /work
ENTRYPOINT ["flower"]
