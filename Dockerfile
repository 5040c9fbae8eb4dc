# Serves the project that is mounted at /project:
#   docker build -t octavo .
#   docker run -p 1337:1337 -v ./my-site:/project -e OCTAVO_AUTH_SECRET=... octavo
# Its folder must be writable by the user with the id 1000, for the database and uploads.

# Debian, since the Node that npm installs for the build does not run on Alpine. What it installs for the server does.
FROM node:24-slim AS build
WORKDIR /source
COPY . .
RUN npm ci && sh scripts/install-package.sh /octavo --libc=musl

FROM node:24-alpine AS node

# Node without npm, which a server does not need.
FROM alpine:3
RUN apk add --no-cache libstdc++ && adduser -D -H -u 1000 octavo && mkdir /project && chown octavo /project
COPY --from=node /usr/local/bin/node /usr/local/bin/node
COPY --from=build /octavo /octavo
USER octavo
WORKDIR /project
ENV NODE_ENV=production OCTAVO_SERVER_HOST=0.0.0.0
EXPOSE 1337
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:1337/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/octavo/node_modules/octavo/bin/octavo.js"]
CMD ["start"]
