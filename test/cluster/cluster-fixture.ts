import { randomUUID } from 'node:crypto';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clearCluster } from '../../src/testing/servers/clear-cluster.ts';

/** Variables of a program on a search engine, with names of its own there. */
export interface ClusterFixture {
  readonly prefix: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Deletes every index and template of the prefix. */
  clear(): Promise<void>;
}

/** Seconds. */
export const SLOW_SERVER_TIMEOUT = 60;

export function clusterFixture(
  type: 'elasticsearch' | 'opensearch',
  url: string,
  prefix = freshPrefix(),
): ClusterFixture {
  return {
    prefix,
    environment: {
      SVC_DATASTORE_TYPE: type,
      SVC_DATASTORE_HOSTS: url,
      SVC_DATASTORE_INDEX_PREFIX: prefix,
      // To make an index takes a busy server of a test machine more than the usual ten seconds.
      SVC_DATASTORE_TRANSPORT_TIMEOUT: String(SLOW_SERVER_TIMEOUT),
    },
    clear: () => clearCluster(url, prefix),
  };
}

function freshPrefix(): string {
  return `test${randomUUID().slice(0, 8)}`;
}

export interface Balancer {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  close(): Promise<void>;
}

/** One address in front of several processes; each request goes to the next of them. */
export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  let turn = 0;
  const server: Server = createServer((incoming, outgoing) => {
    const target = targets[turn++ % targets.length];
    const forwarded = httpRequest(
      `${target}${incoming.url}`,
      { method: incoming.method ?? 'GET', headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
