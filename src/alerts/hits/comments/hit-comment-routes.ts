import { InvalidInput } from '../../../errors/errors.ts';
import { objectBody, textListBody } from '../../../http/object-body.ts';
import type { RouteModule } from '../../../http/route-access.ts';
import { withVersion } from '../hit-routes.ts';
import type { ById } from '../hit-schemas.ts';
import * as schemas from '../hit-schemas.ts';
import type { HitComments } from './hit-comments.ts';

interface ByComment {
  Params: { id: string; comment_id: string };
}

const { tags } = schemas;
const response = { 200: schemas.HitReply };

/** `/api/v1/hit/<id>/comments`: what people say about an alert, and how others react to it. */
export const hitCommentRoutes =
  ({ comments }: { comments: HitComments }): RouteModule =>
  (app) => {
    app.post<ById>(
      '/api/v1/hit/:id/comments',
      { access: schemas.WRITE, schema: { tags, summary: 'Add a comment', body: schemas.CommentBody, response } },
      async ({ actor, params, body }, reply) =>
        withVersion(reply, await comments.add(actor, params.id, objectBody(body).value)),
    );

    app.delete<ById>(
      '/api/v1/hit/:id/comments',
      { access: schemas.WRITE, schema: { tags, summary: 'Delete comments', body: schemas.IdsBody, response } },
      async ({ actor, params, body }, reply) => {
        // Null, which clients send for no body, names no comment.
        const ids = textListBody(body ?? [], 'The body must be a list of comment ids.');
        return withVersion(reply, await comments.remove(actor, params.id, ids));
      },
    );

    app.get<ByComment>(
      '/api/v1/hit/:id/comments/:comment_id',
      {
        access: schemas.READ,
        schema: { tags, summary: 'Get a comment', response: { 200: schemas.CommentReply } },
      },
      async ({ actor, params }, reply) => {
        const { comment, version } = await comments.get(actor, params.id, params.comment_id);
        reply.header('etag', version);
        return comment;
      },
    );

    app.put<ByComment>(
      '/api/v1/hit/:id/comments/:comment_id',
      { access: schemas.WRITE, schema: { tags, summary: 'Edit an own comment', body: schemas.CommentBody, response } },
      async ({ actor, params, body }, reply) =>
        withVersion(reply, await comments.edit(actor, params.id, params.comment_id, objectBody(body).value)),
    );

    app.put<ByComment>(
      '/api/v1/hit/:id/comments/:comment_id/react',
      { access: schemas.WRITE, schema: { tags, summary: 'React to a comment', body: schemas.ReactionBody, response } },
      async ({ actor, params, body }, reply) => {
        const { type } = objectBody(body);
        if (typeof type !== 'string' || type === '') {
          throw new InvalidInput('reaction_empty', 'Type cannot be empty.', { at: 'type' });
        }
        return withVersion(reply, await comments.react(actor, params.id, params.comment_id, type));
      },
    );

    app.delete<ByComment>(
      '/api/v1/hit/:id/comments/:comment_id/react',
      { access: schemas.WRITE, schema: { tags, summary: 'Take the own reaction back', response } },
      async ({ actor, params }, reply) =>
        withVersion(reply, await comments.react(actor, params.id, params.comment_id, undefined)),
    );
  };
