# One image of the program: `docker build -t triad .`, then see compose.yml.
FROM node:24-bookworm-slim
WORKDIR /triad
# Packages first: they change less often than the source.
COPY package.json package-lock.json ./
COPY scripts scripts
RUN npm run setup
COPY . .
# The folder of the data belongs to who runs the program; a named volume takes that over. So does that of compiled code, for later starts.
RUN mkdir -p /data node_modules/.cache && chown -R node:node /data node_modules/.cache
USER node
ENV SVC_HOST=0.0.0.0 SVC_DATA_FOLDER=/data
VOLUME /data
EXPOSE 8080 5000 5001 5002 5003
CMD ["node_modules/.bin/node", "--max-semi-space-size=16", "src/start.mjs", "serve"]
