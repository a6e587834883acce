import { jsonSchema } from '../../documents/json-schema.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { filledTextListBody, objectBody } from '../../http/object-body.ts';
import { NO_CONTENT, type RouteAccess, type RouteModule } from '../../http/route-access.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { Type } from '../../schema/type.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { AnalyticCommentService } from './analytic-comment-service.ts';
import type { AnalyticNotebookService } from './analytic-notebook-service.ts';
import type { AnalyticService } from './analytic-service.ts';

export interface AnalyticRouteDependencies {
  analytics: AnalyticService;
  comments: AnalyticCommentService;
  notebooks: AnalyticNotebookService;
  users: Pick<UserStore, 'addFavouriteAnalytic' | 'removeFavouriteAnalytic'>;
}

/** Discussion is not audited: it is kept with its author anyway. */
const DISCUSS: RouteAccess = { privileges: ['W'], roles: ['admin', 'user'] };

const tags = ['analytic'];
const AnalyticReply = jsonSchema(analyticDocument);
const AnalyticChangeBody = Type.Object({
  description: Type.Optional(Type.String()),
  triage_settings: Type.Optional(Type.Object({})),
});
const OwnerBody = Type.Object({ username: Type.String() });
const CommentBody = Type.Object({ value: Type.String(), detection: Type.Optional(Type.String()) });
const CommentChangeBody = Type.Object({ value: Type.String() });
const ReactionBody = Type.Object({ type: Type.String() });
const NotebookBody = Type.Object({
  value: Type.String(),
  name: Type.String(),
  detection: Type.Optional(Type.String()),
});
const IdsBody = Type.Array(Type.String());

interface ById {
  Params: { id: string };
}
interface ByComment {
  Params: { id: string; comment_id: string };
}

const shown = (analytic: Analytic) => toOutput(analyticDocument, analytic);

/** `/api/v1/analytic`: detectors, what people say about them, and their notebooks. */
export const analyticRoutes =
  ({ analytics, comments, notebooks, users }: AnalyticRouteDependencies): RouteModule =>
  (app) => {
    const response = { 200: AnalyticReply };

    app.get(
      '/api/v1/analytic/',
      { access: READ, schema: { tags, summary: 'List analytics', response: { 200: Type.Array(AnalyticReply) } } },
      async () => (await analytics.list()).map((item) => itemOfV1(analyticDocument, item)),
    );

    app.get<ById>(
      '/api/v1/analytic/:id',
      { access: READ, schema: { tags, summary: 'Get an analytic', response } },
      async ({ params }) => shown(await analytics.get(params.id, 'Analytic does not exist')),
    );

    app.put<ById>(
      '/api/v1/analytic/:id',
      {
        access: CHANGE,
        schema: { tags, summary: 'Change description or triage settings', body: AnalyticChangeBody, response },
      },
      async ({ params, body, query }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        const change = objectBody(body, 'You must provide updated data.');
        if (Object.keys(change).length === 0) throw new InvalidInput('invalid_body', 'You must provide updated data.');
        return shown(await analytics.update(params.id, change, readRefresh(query)));
      },
    );

    app.post<ById>(
      '/api/v1/analytic/:id/owner',
      { access: WRITE, schema: { tags, summary: 'Hand an analytic to somebody', body: OwnerBody, response } },
      async ({ params, body, query }) => {
        const { username } = objectBody(body);
        if (typeof username !== 'string' || username === '') {
          throw new InvalidInput('username_missing', 'The body must name the new owner in username.', {
            at: 'username',
          });
        }
        return shown(await analytics.setOwner(params.id, username, readRefresh(query)));
      },
    );

    app.post<ById>(
      '/api/v1/analytic/:id/comments',
      { access: DISCUSS, schema: { tags, summary: 'Add a comment', body: CommentBody, response } },
      async ({ actor, params, body }) => {
        const { value, detection } = objectBody(body, 'Incorrect data format!');
        return shown(await comments.add(actor, params.id, { value, detection }));
      },
    );

    app.delete<ById>(
      '/api/v1/analytic/:id/comments',
      { access: DISCUSS, schema: { tags, summary: 'Delete comments', response: NO_CONTENT, body: IdsBody } },
      async ({ actor, params, body }) => {
        const ids = filledTextListBody(body, 'Supply at least one comment to delete.');
        await comments.remove(actor, params.id, ids);
      },
    );

    app.put<ByComment>(
      '/api/v1/analytic/:id/comments/:comment_id',
      { access: DISCUSS, schema: { tags, summary: 'Edit an own comment', body: CommentChangeBody, response } },
      async ({ actor, params, body }) => {
        const { value } = objectBody(body, 'Incorrect data format');
        return shown(await comments.edit(actor, params.id, params.comment_id, value));
      },
    );

    app.put<ByComment>(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { tags, summary: 'React to a comment', body: ReactionBody, response } },
      async ({ actor, params, body }) => {
        const { type } = objectBody(body, 'Incorrect data format');
        if (typeof type !== 'string' || type === '') {
          throw new InvalidInput('reaction_empty', 'Type cannot be empty.', { at: 'type' });
        }
        return shown(await comments.react(actor, params.id, params.comment_id, type));
      },
    );

    app.delete<ByComment>(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { tags, summary: 'Take the own reaction back', response } },
      async ({ actor, params }) => shown(await comments.react(actor, params.id, params.comment_id, undefined)),
    );

    app.post<ById>(
      '/api/v1/analytic/:id/notebooks',
      { access: DISCUSS, schema: { tags, summary: 'Link a notebook', body: NotebookBody, response } },
      async ({ actor, params, body }) => {
        const { value, name, detection } = objectBody(body, 'Incorrect data format');
        return shown(await notebooks.add(actor, params.id, { value, name, detection }));
      },
    );

    app.delete<ById>(
      '/api/v1/analytic/:id/notebooks',
      { access: DISCUSS, schema: { tags, summary: 'Remove notebooks', response: NO_CONTENT, body: IdsBody } },
      async ({ actor, params, body }) => {
        const ids = filledTextListBody(body, 'A notebook id is necessary for deletion.');
        await notebooks.remove(actor, params.id, ids);
      },
    );

    app.post<ById>(
      '/api/v1/analytic/:id/favourite',
      { access: CHANGE, schema: { tags, summary: 'Mark an analytic as favourite' } },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.addFavouriteAnalytic(actor.username, params.id);
      },
    );

    app.delete<ById>(
      '/api/v1/analytic/:id/favourite',
      { access: CHANGE, schema: { tags, summary: 'Take an analytic from the favourites', response: NO_CONTENT } },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.removeFavouriteAnalytic(actor.username, params.id);
      },
    );
  };
