import { Type } from 'typebox';
import { InvalidInput } from '../../../errors/errors.ts';
import { pathParameters } from '../../../http/input/input-schemas.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { refusing } from '../../../input/input-kinds.ts';
import { withVersion } from '../hit-routes.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitComments } from './hit-comments.ts';

const { tags } = schemas;
const response = { 200: schemas.HitReply };
const ByComment = pathParameters('id', 'comment_id');
const wrongIds = () => new InvalidInput('invalid_body', 'The body must be a list of comment ids.');
/** Null, which clients send for no body, names no comment. */
const DeletedBody = refusing(Type.Array(refusing(Type.String(), wrongIds), { default: [] }), wrongIds);

/** `/api/v1/hit/<id>/comments`: what people say about an alert, and how others react to it. */
export const hitCommentRoutes =
  ({ comments }: { comments: HitComments }): RouteModule =>
  (app) => {
    app.post(
      '/api/v1/hit/:id/comments',
      {
        access: schemas.WRITE,
        schema: { tags, summary: 'Add a comment', params: schemas.ById, body: schemas.CommentBody, response },
      },
      async ({ actor, params, body }, reply) => withVersion(reply, await comments.add(actor, params.id, body.value)),
    );

    app.delete(
      '/api/v1/hit/:id/comments',
      {
        access: schemas.WRITE,
        schema: { tags, summary: 'Delete comments', params: schemas.ById, body: DeletedBody, response },
      },
      async ({ actor, params, body }, reply) => withVersion(reply, await comments.remove(actor, params.id, body)),
    );

    app.get(
      '/api/v1/hit/:id/comments/:comment_id',
      {
        access: schemas.READ,
        schema: { tags, summary: 'Get a comment', params: ByComment, response: { 200: schemas.CommentReply } },
      },
      async ({ actor, params }, reply) => {
        const { comment, version } = await comments.get(actor, params.id, params.comment_id);
        reply.header('etag', version);
        return comment;
      },
    );

    app.put(
      '/api/v1/hit/:id/comments/:comment_id',
      {
        access: schemas.WRITE,
        schema: { tags, summary: 'Edit an own comment', params: ByComment, body: schemas.CommentBody, response },
      },
      async ({ actor, params, body }, reply) =>
        withVersion(reply, await comments.edit(actor, params.id, params.comment_id, body.value)),
    );

    app.put(
      '/api/v1/hit/:id/comments/:comment_id/react',
      {
        access: schemas.WRITE,
        schema: { tags, summary: 'React to a comment', params: ByComment, body: schemas.ReactionBody, response },
      },
      async ({ actor, params, body }, reply) =>
        withVersion(reply, await comments.react(actor, params.id, params.comment_id, body.type)),
    );

    app.delete(
      '/api/v1/hit/:id/comments/:comment_id/react',
      { access: schemas.WRITE, schema: { tags, summary: 'Take the own reaction back', params: ByComment, response } },
      async ({ actor, params }, reply) =>
        withVersion(reply, await comments.react(actor, params.id, params.comment_id, undefined)),
    );
  };
