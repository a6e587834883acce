import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery, textListBody, wrongBody } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteAccess, type RouteModule } from '../../http/route-access.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { documentOf, field, refusing } from '../../input/input-kinds.ts';
import { CHANGE, READ, WRITE } from '../record-access.ts';
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
const AnalyticChangeBody = refusing(
  documentOf(
    {
      description: Type.Optional(field(Type.String())),
      triage_settings: Type.Optional(field(Type.Object({}))),
    },
    { minProperties: 1 },
  ),
  wrongBody('You must provide updated data.'),
);
const OwnerBody = Type.Object({
  username: refusing(
    Type.String({ minLength: 1 }),
    () =>
      new InvalidInput('username_missing', 'The body must name the new owner in username.', {
        at: 'username',
      }),
  ),
});
const value = field(Type.String());
const detection = Type.Optional(field(Type.String()));
const WRONG_FORMAT = wrongBody('Incorrect data format');
const CommentBody = refusing(documentOf({ value, detection }), wrongBody('Incorrect data format!'));
const CommentChangeBody = refusing(documentOf({ value }), WRONG_FORMAT);
const ReactionBody = refusing(
  Type.Object({
    type: refusing(
      Type.String({ minLength: 1 }),
      () => new InvalidInput('reaction_empty', 'Type cannot be empty.', { at: 'type' }),
    ),
  }),
  WRONG_FORMAT,
);
const NotebookBody = refusing(documentOf({ value, name: value, detection }), WRONG_FORMAT);
const GoneCommentsBody = textListBody('Supply at least one comment to delete.', { minItems: 1 });
const GoneNotebooksBody = textListBody('A notebook id is necessary for deletion.', { minItems: 1 });

const ById = pathParameters('id');
const ByComment = pathParameters('id', 'comment_id');

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

    app.get(
      '/api/v1/analytic/:id',
      { access: READ, schema: { tags, summary: 'Get an analytic', params: ById, response } },
      async ({ params }) => shown(await analytics.get(params.id, 'Analytic does not exist')),
    );

    app.put(
      '/api/v1/analytic/:id',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Change description or triage settings',
          params: ById,
          querystring: RefreshQuery,
          body: AnalyticChangeBody,
          response,
        },
      },
      async ({ params, body, query }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        return shown(await analytics.update(params.id, body, query.refresh));
      },
    );

    app.post(
      '/api/v1/analytic/:id/owner',
      {
        access: WRITE,
        schema: {
          tags,
          summary: 'Hand an analytic to somebody',
          params: ById,
          querystring: RefreshQuery,
          body: OwnerBody,
          response,
        },
      },
      async ({ params, body, query }) => {
        return shown(await analytics.setOwner(params.id, body.username, query.refresh));
      },
    );

    app.post(
      '/api/v1/analytic/:id/comments',
      { access: DISCUSS, schema: { tags, summary: 'Add a comment', params: ById, body: CommentBody, response } },
      async ({ actor, params, body }) => {
        return shown(await comments.add(actor, params.id, body));
      },
    );

    app.delete(
      '/api/v1/analytic/:id/comments',
      {
        access: DISCUSS,
        schema: { tags, summary: 'Delete comments', params: ById, response: NO_CONTENT, body: GoneCommentsBody },
      },
      async ({ actor, params, body }) => {
        await comments.remove(actor, params.id, body);
      },
    );

    app.put(
      '/api/v1/analytic/:id/comments/:comment_id',
      {
        access: DISCUSS,
        schema: { tags, summary: 'Edit an own comment', params: ByComment, body: CommentChangeBody, response },
      },
      async ({ actor, params, body }) => {
        return shown(await comments.edit(actor, params.id, params.comment_id, body.value));
      },
    );

    app.put(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      {
        access: DISCUSS,
        schema: { tags, summary: 'React to a comment', params: ByComment, body: ReactionBody, response },
      },
      async ({ actor, params, body }) => {
        return shown(await comments.react(actor, params.id, params.comment_id, body.type));
      },
    );

    app.delete(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { tags, summary: 'Take the own reaction back', params: ByComment, response } },
      async ({ actor, params }) => shown(await comments.react(actor, params.id, params.comment_id, undefined)),
    );

    app.post(
      '/api/v1/analytic/:id/notebooks',
      { access: DISCUSS, schema: { tags, summary: 'Link a notebook', params: ById, body: NotebookBody, response } },
      async ({ actor, params, body }) => {
        return shown(await notebooks.add(actor, params.id, body));
      },
    );

    app.delete(
      '/api/v1/analytic/:id/notebooks',
      {
        access: DISCUSS,
        schema: { tags, summary: 'Remove notebooks', params: ById, response: NO_CONTENT, body: GoneNotebooksBody },
      },
      async ({ actor, params, body }) => {
        await notebooks.remove(actor, params.id, body);
      },
    );

    app.post(
      '/api/v1/analytic/:id/favourite',
      { access: CHANGE, schema: { tags, summary: 'Mark an analytic as favourite', params: ById } },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.addFavouriteAnalytic(actor.username, params.id);
      },
    );

    app.delete(
      '/api/v1/analytic/:id/favourite',
      {
        access: CHANGE,
        schema: { tags, summary: 'Take an analytic from the favourites', params: ById, response: NO_CONTENT },
      },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.removeFavouriteAnalytic(actor.username, params.id);
      },
    );
  };
