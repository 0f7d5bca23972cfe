# The shop in one container; its commands are in docs/operations.md, "In a container".
# It needs nothing but its data folder: `--read-only --tmpfs /tmp` works, and so does any other user that owns /data.

FROM oven/bun:1.4.5-slim AS packages
WORKDIR /shop
COPY package.json bun.lock bunfig.toml ./
RUN bun install --production --frozen-lockfile

FROM packages AS built
COPY tsconfig.json ./
COPY public public
COPY src src
RUN bun src/serving/build.ts

FROM oven/bun:1.4.5-slim
WORKDIR /shop
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data IN_CONTAINER=yes BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY --from=packages /shop/node_modules node_modules
COPY drizzle drizzle
COPY public public
COPY bot bot
COPY src src
COPY --from=built /shop/dist dist
COPY src/container.sh shop
RUN mkdir /data /backups && chown bun:bun /data /backups
USER bun
VOLUME /data
EXPOSE 3000
# Alive, not ready: a shop whose database is away for a moment must not be restarted for it.
# A start waits for it for two minutes.
HEALTHCHECK --interval=30s --timeout=5s --start-period=150s \
  CMD ["bun", "-e", "const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/api/health`); process.exit(ok ? 0 : 1)"]
# In-flight requests get ten seconds after SIGTERM, so stop with a longer patience: docker stop --time 15.
STOPSIGNAL SIGTERM
ENTRYPOINT ["./shop"]
