import { Client, Connection, Serializer } from '@opensearch-project/opensearch';
import {
  CLIENT_TIMEOUT,
  EVERY_ERROR_STATUS,
  type RawAnswer,
  type RawRequest,
  type VendorNode,
  type VendorTransport,
} from './vendor-transport.ts';

const CONTENT_TYPES = { json: 'application/json', lines: 'application/x-ndjson' };

class TextSerializer extends Serializer {
  override deserialize(text: string): string {
    return text;
  }
}

/**
 * The client writes to the console when a connection breaks while an answer is read.
 * It throws as well, which is enough.
 */
class QuietConnection extends Connection {
  override request(...[params, callback]: Parameters<Connection['request']>): ReturnType<Connection['request']> {
    const request = super.request(params, (error, response) => {
      if (response !== null) request.removeAllListeners('error').on('error', () => {});
      callback(error, response);
    });
    return request;
  }
}

export function openOpensearchTransport(nodes: readonly VendorNode[]): VendorTransport {
  const agents = new Map(nodes.map(({ url, agent }) => [url.href, agent]));
  const client = new Client({
    nodes: nodes.map(({ url, headers }) => ({ url, headers: { ...headers } })),
    Connection: QuietConnection,
    Serializer: TextSerializer,
    agent: ({ url }: { url: URL }) => agents.get(url.href),
    maxRetries: 0,
    requestTimeout: CLIENT_TIMEOUT,
    resurrectStrategy: 'optimistic',
  });
  return {
    async send({ method, path, query, body, bodyKind, signal }: RawRequest): Promise<RawAnswer> {
      signal.throwIfAborted();
      const sent = client.transport.request(
        { method, path, querystring: { ...query }, ...(body === undefined ? {} : { body }) },
        {
          ignore: EVERY_ERROR_STATUS,
          headers: {
            accept: CONTENT_TYPES.json,
            ...(body === undefined ? {} : { 'content-type': CONTENT_TYPES[bodyKind] }),
          },
        },
      );
      const abort = (): void => {
        sent.abort();
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        const { statusCode, headers, body: text } = await sent;
        return { status: statusCode ?? 0, headers: headers ?? {}, text: typeof text === 'string' ? text : '' };
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => client.close(),
  };
}
