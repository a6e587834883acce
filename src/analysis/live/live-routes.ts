import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { EXAMPLE_IDS, NullableText, operation } from '../operations/analysis-operation.ts';
import type { LiveService } from './live-service.ts';

const VIEW: GuardedAccess = { privileges: 'by_roles', roles: ['submission_view'], readOnly: false };

const BySubmission = pathParameters({ sid: ['Identifier of the submission.', EXAMPLE_IDS.submission] });
const ByQueue = pathParameters({
  wqId: ['Identifier of the watch queue.', 'D-c7668cfa-5a0b-4d8f-bb1f-c4132285142e-WQ'],
});
const Message = Type.Object({
  type: Type.String({
    description: 'Kind of message: `start`, `cachekey`, `cachekeyerr`, `stop`, or `timeout` when there is none.',
  }),
  err_msg: NullableText,
  status_code: Type.Integer({ description: '200, or 408 for `timeout`.' }),
  msg: NullableText,
});
const Queue = Type.Object({ wq_id: Type.String({ description: 'Identifier of the watch queue.' }) });
const Outstanding = Type.Record(Type.String(), Type.Integer(), { description: 'Files by service.' });

/** Serves what happens to running submissions (contract/analysis.md section 6, live). */
export const liveRoutes =
  ({ live }: { readonly live: LiveService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v4/live/setup_watch_queue/:sid/',
      {
        access: VIEW,
        schema: operation('live_setup_watch_queue', 'Follow a running submission through a queue', {
          params: BySubmission,
          reply: Queue,
          refusals: [404],
        }),
      },
      async ({ actor, params }) => ({ wq_id: await live.watch(actor, params.sid) }),
    );
    app.get(
      '/api/v4/live/get_message/:wqId/',
      {
        access: VIEW,
        schema: operation('live_get_message', 'Take the next message of a watch queue', {
          params: ByQueue,
          reply: Message,
          refusals: [400],
        }),
      },
      ({ params }) => live.next(params.wqId),
    );
    app.get(
      '/api/v4/live/get_message_list/:wqId/',
      {
        access: VIEW,
        schema: operation('live_get_messages', 'Take all messages of a watch queue', {
          params: ByQueue,
          reply: Type.Array(Message),
          refusals: [400],
        }),
      },
      ({ params }) => live.take(params.wqId),
    );
    app.get(
      '/api/v4/live/outstanding_services/:sid/',
      {
        access: VIEW,
        schema: operation('live_outstanding_services', 'Count the files that services have still to do', {
          params: BySubmission,
          reply: Outstanding,
        }),
      },
      ({ actor, params }) => live.outstanding(actor, params.sid),
    );
  };
