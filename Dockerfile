# One image of the program: `docker build -t triad .`, then see compose.yml.
FROM node:24-bookworm-slim AS interface
WORKDIR /triad
# Packages first: they change less often than the source.
COPY package.json package-lock.json ./
COPY ui/package.json ui/
COPY scripts scripts
RUN npm run setup
COPY ui ui
COPY src src
RUN npm run ui:build

FROM node:24-bookworm-slim
WORKDIR /triad
COPY package.json package-lock.json ./
COPY ui/package.json ui/
COPY scripts scripts
# Without the packages that build and test.
RUN NODE_ENV=production npm run setup
COPY bin bin
COPY docs docs
COPY scaffolds scaffolds
COPY sdk sdk
COPY src src
COPY --from=interface /triad/ui/dist ui/dist
# The folder of the data belongs to who runs the program; a named volume takes that over. So does that of compiled code, for later starts.
RUN mkdir -p /data node_modules/.cache && chown -R node:node /data node_modules/.cache
USER node
ENV SVC_HOST=0.0.0.0 SVC_DATA_FOLDER=/data
VOLUME /data
EXPOSE 8080 5000 5001 5002 5003
CMD ["node_modules/.bin/node", "--max-semi-space-size=16", "src/start.mjs", "serve"]
