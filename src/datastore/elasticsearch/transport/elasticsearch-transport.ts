import { Client, HttpConnection, Serializer } from '@elastic/elasticsearch';
import type { EngineHost } from './engine-host.ts';
import { clientOptions, clientRequest, rawAnswer, type VendorTransport } from './vendor-transport.ts';

/** Asks for version 8 (https://www.elastic.co/docs/reference/elasticsearch/rest-apis/compatibility). */
const CONTENT_TYPES = {
  json: 'application/vnd.elasticsearch+json; compatible-with=8',
  lines: 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
};

class TextSerializer extends Serializer {
  override deserialize<T = unknown>(text: string): T {
    return text as T;
  }
}

export function openElasticsearchTransport(
  hosts: readonly EngineHost[],
  certificates: readonly string[],
): VendorTransport {
  const client = new Client({
    ...clientOptions(hosts, certificates),
    Connection: HttpConnection,
    Serializer: TextSerializer,
    enableMetaHeader: false,
  });
  return {
    async send(request, signal) {
      const { params, options } = clientRequest(request, CONTENT_TYPES);
      const sent = client.transport.request(params, { ...options, meta: true, signal });
      const { statusCode, headers, body } = await sent;
      return rawAnswer(statusCode, headers, body);
    },
    close: () => client.close(),
  };
}
