import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import { isObject } from '../../documents/schema/plain-objects.ts';
import { InvalidInput, TooLarge } from '../../errors/errors.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { anyText, documentOf, field, integer, listOf, refusing, text } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { ANYONE, EXAMPLE_IDS, operation, Success } from '../operations/analysis-operation.ts';
import type { ReplayImport } from './replay-import.ts';
import type { ReplayService } from './replay-service.ts';

const SYSTEM: GuardedAccess = { ...ANYONE, roles: ['replay_system'], quota: true };
const ByDocument = pathParameters({
  index: ['`alert` or `submission`.', 'submission'],
  doc_id: ['Identifier of the document.', EXAMPLE_IDS.submission],
});
const ByCheckpoint = pathParameters({ message_type: ['`badlist`, `safelist`, `signature` or `workflow`.', 'badlist'] });
const ByQueue = pathParameters({ message_type: ['`file`, `submission` or `alert`.', 'file'] });
const invalid = () => new InvalidInput('invalid_replay_message', 'Invalid data block.', { response: '' });
const PendingBody = documentOf(
  {
    index: refusing(Type.String({ description: '`alert` or `submission`.' }), invalid),
    query: refusing(Type.String({ description: 'Lucene query.' }), invalid),
    filter_queries: refusing(listOf(anyText(), { description: 'Further Lucene queries.' }), invalid),
    max_docs: refusing(
      integer({ minimum: 0, maximum: 10_000, description: 'Documents that are changed at most.' }),
      invalid,
    ),
  },
  { examples: [{ index: 'submission', query: 'sid:*', filter_queries: [], max_docs: 100 }] },
);
const EXAMPLE_SOURCE = { name: 'partner', type: 'external', reason: ['Phishing'] };
const EntriesBody = refusing(
  Type.Array(field(Type.Object({}, { additionalProperties: true })), {
    description: 'Entries as their installation stores them.',
    examples: [
      [{ type: 'tag', tag: { type: 'network.static.domain', value: 'example.com' }, sources: [EXAMPLE_SOURCE] }],
    ],
  }),
  () =>
    new InvalidInput('invalid_replay_entries', 'The body must be a list of entries, each an object.', { response: '' }),
);
const EntriesQuery = Type.Object({
  min_classification: Type.Optional(text({ description: 'Lowest classification of what is stored.' })),
});
/** Bytes of a checkpoint as it is sent. */
const MAX_CHECKPOINT = 16_384;

/** Serves `/api/v4/replay/` of installations that send documents on (contract/analysis.md section 6). */
export const replayRoutes =
  (replay: ReplayService, entries: ReplayImport): RouteModule =>
  (app) => {
    // The two methods are the wrong way round in the public system, whose clients know them so.
    app.get(
      '/api/v4/replay/checkpoint/:message_type/',
      {
        access: SYSTEM,
        body: 'stream',
        schema: operation('replay_put_checkpoint', 'Store how far entries were sent: the body {"checkpoint": "*"}', {
          params: ByCheckpoint,
          reply: Success,
        }),
      },
      async (request) => {
        await replay.putCheckpoint(request.params.message_type, await sentCheckpoint(request.raw));
        return { success: true };
      },
    );
    app.put(
      '/api/v4/replay/checkpoint/:message_type/',
      {
        access: SYSTEM,
        body: 'ignored',
        schema: operation('replay_get_checkpoint', 'Get how far entries were sent; `*`: none were', {
          params: ByCheckpoint,
          reply: Type.Object({ checkpoint: Type.String() }),
        }),
      },
      async (request) => ({ checkpoint: await replay.checkpoint(request.params.message_type) }),
    );

    app.post(
      '/api/v4/replay/entries/:message_type/',
      {
        access: { ...SYSTEM, readOnly: false, audit: true },
        schema: operation('replay_import_entries', 'Store entries of another installation', {
          params: ByCheckpoint,
          querystring: EntriesQuery,
          body: EntriesBody,
          reply: Type.Object({ success: Type.Boolean(), count: Type.Integer() }),
        }),
      },
      async (request) => {
        const { params, query, body } = request;
        const { message_type: type } = params;
        const count = await entries.import(callerOf(request), type, body, query.min_classification);
        return { success: true, count };
      },
    );

    app.get(
      '/api/v4/replay/queue/:message_type/',
      {
        access: SYSTEM,
        schema: operation('replay_get_message', 'Take the next message; null when none comes for 30 seconds', {
          params: ByQueue,
          reply: Type.Unknown(),
        }),
      },
      async (request) =>
        await replay.nextMessage(
          request.params.message_type,
          () => request.raw.destroyed && request.raw.socket.destroyed,
        ),
    );
    app.put(
      '/api/v4/replay/queue/:message_type/',
      {
        access: SYSTEM,
        schema: operation('replay_put_message', 'Add a message to a queue', {
          params: ByQueue,
          body: Type.Unknown({ description: 'A path, or the identifying members.', examples: ['/tmp/one.al_bundle'] }),
          reply: Success,
        }),
      },
      async (request) => {
        await replay.putMessage(request.params.message_type, request.body);
        return { success: true };
      },
    );

    app.get(
      '/api/v4/replay/:index/:doc_id/',
      {
        access: { ...ANYONE, roles: ['replay_trigger'], quota: true, audit: true },
        schema: operation('replay_request_replay', 'Ask for a document to be sent on', {
          params: ByDocument,
          reply: Success,
        }),
      },
      async (request) => {
        const { index, doc_id: id } = request.params;
        await replay.mark(callerOf(request), index, id, 'requested');
        return { success: true };
      },
    );
    app.post(
      '/api/v4/replay/:index/:doc_id/',
      {
        access: { ...SYSTEM, audit: true },
        body: 'ignored',
        schema: operation('replay_set_replay_complete', 'Note that a document was sent on', {
          params: ByDocument,
          reply: Success,
        }),
      },
      async (request) => {
        const { index, doc_id: id } = request.params;
        await replay.mark(callerOf(request), index, id, 'done');
        return { success: true };
      },
    );
    app.post(
      '/api/v4/replay/pending/',
      {
        access: SYSTEM,
        schema: operation(
          'replay_set_bulk_replay_pending',
          'Note that the documents found by a query are about to be sent',
          {
            body: PendingBody,
            reply: Type.Object({ success: Type.Boolean(), count: Type.Integer() }),
          },
        ),
      },
      async (request) => {
        const { index, query, filter_queries: filters, max_docs: limit } = request.body;
        const count = await replay.markPending(callerOf(request), { index, query, filters, limit });
        return { success: true, count };
      },
    );
  };

/** Reads the body of a GET request. */
async function sentCheckpoint(raw: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_CHECKPOINT)
      throw new TooLarge('body_too_large', `A checkpoint has at most ${MAX_CHECKPOINT} bytes.`);
    chunks.push(chunk);
  }
  try {
    const sent: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return isObject(sent) ? sent.checkpoint : undefined;
  } catch {
    return undefined;
  }
}
