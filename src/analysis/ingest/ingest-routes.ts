import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { integer } from '../../input/input-kinds.ts';
import { callerOf } from '../analysis-guard.ts';
import { Anything, operation } from '../operations/analysis-operation.ts';
import type { SubmissionBodies } from '../submit/submission-body.ts';
import { SUBMITTERS, submissionBodies, unreadBody } from '../submit/submit-routes.ts';
import type { IngestService } from './ingest-service.ts';
import type { NotificationQueues, TakenNotifications } from './notification-queues.ts';

export interface IngestRouteDependencies {
  readonly ingest: IngestService;
  readonly bodies: SubmissionBodies;
  readonly notifications: NotificationQueues;
}

const READERS: GuardedAccess = { ...SUBMITTERS, quota: true };
const ByQueue = pathParameters({ notification_queue: ['Name of the queue.', 'mine'] });
const PageQuery = Type.Object({
  page_size: Type.Optional(integer({ description: 'Messages, at most. Default: all.' })),
});

/** Serves `/api/v4/ingest`: files in bulk, whose senders are notified. */
export const ingestRoutes =
  ({ ingest, bodies, notifications }: IngestRouteDependencies): RouteModule =>
  (app) => {
    app.post(
      '/api/v4/ingest/',
      {
        access: SUBMITTERS,
        body: 'stream',
        refusal: {},
        schema: {
          ...operation('ingest_ingest_single_file', 'Send a file in bulk', {
            reply: Type.Object({ ingest_id: Type.String() }),
            refusals: [404],
          }),
          streamed: submissionBodies({
            type: Type.Optional(Type.String({ description: 'Type of the submission. Default `INGEST`.' })),
            notification_queue: Type.Optional(Type.String({ description: 'Queue that gets a notification.' })),
            notification_threshold: Type.Optional(
              Type.Integer({ description: 'Lowest score that is notified. Default: every one.' }),
            ),
          }),
        },
      },
      async (request) => {
        const ingest_id = await ingest.ingest(callerOf(request), (admitted) =>
          bodies.read(unreadBody(request), admitted),
        );
        return { ingest_id };
      },
    );

    app.get(
      '/api/v4/ingest/get_message/:notification_queue/',
      {
        access: READERS,
        schema: operation('ingest_get_message', 'Take a notification out of a queue', {
          params: ByQueue,
          reply: Type.Union([Anything, Type.Null()]),
        }),
      },
      async (request, reply) => {
        const { username } = callerOf(request);
        const taken = await notifications.take(username, request.params.notification_queue, 1);
        onceAnswered(reply, taken);
        return taken.messages[0] ?? null;
      },
    );

    app.get(
      '/api/v4/ingest/get_message_list/:notification_queue/',
      {
        access: READERS,
        schema: operation('ingest_get_all_messages', 'Take notifications out of a queue', {
          params: ByQueue,
          querystring: PageQuery,
          reply: Type.Array(Anything),
        }),
      },
      async (request, reply) => {
        const { username } = callerOf(request);
        const { page_size: size } = request.query;
        const max = size === undefined || size < 0 ? undefined : size;
        const taken = await notifications.take(username, request.params.notification_queue, max);
        onceAnswered(reply, taken);
        return taken.messages;
      },
    );
  };

/** Removes notifications once their answer was written; a caller who has gone finds them again. */
function onceAnswered({ raw }: FastifyReply, taken: TakenNotifications): void {
  if (taken.messages.length === 0) return;
  raw.once('close', () => {
    // After a failure they come again, which is allowed.
    (raw.writableFinished ? taken.acknowledge() : taken.giveBack()).catch(() => undefined);
  });
}
