import { textListBody } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { ReactionBody } from '../../comment-schemas.ts';
import { EXAMPLE_IDS } from '../../example-ids.ts';
import { WRITE_UNAUDITED as access, READ_UNAUDITED } from '../../record-access.ts';
import { withVersion } from '../hit-routes.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitComments } from './hit-comments.ts';

const { ById, ByComment, CommentBody } = schemas;
const response = { 200: schemas.HitReply };
/** Null, which clients send for no body, names no comment. */
const DeletedBody = textListBody('The body must be a list of comment ids.', {
  default: [],
  examples: [[EXAMPLE_IDS.comment]],
});

/** `/api/v1/hit/<id>/comments`: what people say about an alert, and how others react to it. */
export const hitCommentRoutes =
  ({ comments }: { comments: HitComments }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/hit/:id/comments',
      { access, schema: { summary: 'Add a comment', params: ById, body: CommentBody, response } },
      async ({ actor, params, body }, reply) => withVersion(reply, await comments.add(actor, params.id, body.value)),
    );

    app.delete(
      '/api/v1/hit/:id/comments',
      { access, schema: { summary: 'Delete comments', params: ById, body: DeletedBody, response } },
      async ({ actor, params, body }, reply) => withVersion(reply, await comments.remove(actor, params.id, body)),
    );

    app.get(
      '/api/v1/hit/:id/comments/:comment_id',
      {
        access: READ_UNAUDITED,
        schema: { summary: 'Get a comment', params: ByComment, response: { 200: schemas.CommentReply } },
      },
      async ({ actor, params }, reply) => {
        const { comment, version } = await comments.get(actor, params.id, params.comment_id);
        reply.header('etag', version);
        return comment;
      },
    );

    app.put(
      '/api/v1/hit/:id/comments/:comment_id',
      { access, schema: { summary: 'Edit an own comment', params: ByComment, body: CommentBody, response } },
      async ({ actor, params, body }, reply) =>
        withVersion(reply, await comments.edit(actor, params.id, params.comment_id, body.value)),
    );

    app.put(
      '/api/v1/hit/:id/comments/:comment_id/react',
      { access, schema: { summary: 'React to a comment', params: ByComment, body: ReactionBody, response } },
      async ({ actor, params, body }, reply) =>
        withVersion(reply, await comments.react(actor, params.id, params.comment_id, body.type)),
    );

    app.delete(
      '/api/v1/hit/:id/comments/:comment_id/react',
      { access, schema: { summary: 'Take the own reaction back', params: ByComment, response } },
      async ({ actor, params }, reply) =>
        withVersion(reply, await comments.react(actor, params.id, params.comment_id, undefined)),
    );
  };
