import { Client, HttpConnection, Serializer } from '@elastic/elasticsearch';
import {
  CLIENT_TIMEOUT,
  EVERY_ERROR_STATUS,
  type RawAnswer,
  type RawRequest,
  type VendorNode,
  type VendorTransport,
} from './vendor-transport.ts';

/**
 * Requests the interface of version 8 from Elasticsearch 8 and 9.
 * @see https://www.elastic.co/docs/reference/elasticsearch/rest-apis/compatibility
 */
const CONTENT_TYPES = {
  json: 'application/vnd.elasticsearch+json; compatible-with=8',
  lines: 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
};

class TextSerializer extends Serializer {
  override deserialize<T = unknown>(text: string): T {
    return text as T;
  }
}

export function openElasticsearchTransport(nodes: readonly VendorNode[]): VendorTransport {
  const agents = new Map(nodes.map(({ url, agent }) => [url.href, agent]));
  const client = new Client({
    nodes: nodes.map(({ url, headers }) => ({ url, headers: { ...headers } })),
    Connection: HttpConnection,
    Serializer: TextSerializer,
    agent: ({ url }) => agents.get(url.href),
    maxRetries: 0,
    requestTimeout: CLIENT_TIMEOUT,
    resurrectStrategy: 'optimistic',
    enableMetaHeader: false,
  });
  return {
    async send({ method, path, query, body, bodyKind, signal }: RawRequest): Promise<RawAnswer> {
      const {
        statusCode,
        headers,
        body: text,
      } = await client.transport.request(
        { method, path, querystring: { ...query }, ...(body === undefined ? {} : { body }) },
        {
          meta: true,
          ignore: EVERY_ERROR_STATUS,
          signal,
          headers: {
            accept: CONTENT_TYPES.json,
            ...(body === undefined ? {} : { 'content-type': CONTENT_TYPES[bodyKind] }),
          },
        },
      );
      return { status: statusCode, headers, text: typeof text === 'string' ? text : '' };
    },
    close: () => client.close(),
  };
}
