import { Client, Connection, Serializer } from '@opensearch-project/opensearch';
import type { EngineHost } from './engine-host.ts';
import { clientOptions, clientRequest, rawAnswer, type VendorTransport } from './vendor-transport.ts';

const CONTENT_TYPES = { json: 'application/json', lines: 'application/x-ndjson' };

class TextSerializer extends Serializer {
  override deserialize(text: string): string {
    return text;
  }
}

/** Keeps the client from writing about broken connections to the console; it throws as well. */
class QuietConnection extends Connection {
  override request(...[params, callback]: Parameters<Connection['request']>): ReturnType<Connection['request']> {
    const request = super.request(params, (error, response) => {
      if (response !== null) request.removeAllListeners('error').on('error', () => {});
      callback(error, response);
    });
    return request;
  }
}

export function openOpensearchTransport(
  hosts: readonly EngineHost[],
  certificates: readonly string[],
): VendorTransport {
  const client = new Client({
    ...clientOptions(hosts, certificates),
    Connection: QuietConnection,
    Serializer: TextSerializer,
  });
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const { params, options } = clientRequest(request, CONTENT_TYPES);
      const sent = client.transport.request(params, options);
      const abort = (): void => {
        sent.abort();
      };
      signal.addEventListener('abort', abort, { once: true });
      try {
        const { statusCode, headers, body } = await sent;
        return rawAnswer(statusCode, headers, body);
      } finally {
        signal.removeEventListener('abort', abort);
      }
    },
    close: () => client.close(),
  };
}
