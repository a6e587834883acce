import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery, textListBody, wrongBody } from '../../http/input/input-schemas.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { documentOf, field, refusing } from '../../input/input-kinds.ts';
import { ReactionBody as AnyReactionBody, commentText, MAX_COMMENT_LENGTH } from '../comment-schemas.ts';
import { CHANGE, WRITE_UNAUDITED as DISCUSS, READ, WRITE } from '../record-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { AnalyticDiscussion } from './analytic-discussion.ts';
import type { AnalyticService } from './analytic-service.ts';

export interface AnalyticRouteDependencies {
  analytics: AnalyticService;
  discussion: AnalyticDiscussion;
  users: Pick<UserStore, 'addFavouriteAnalytic' | 'removeFavouriteAnalytic'>;
}

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
const value = commentText(`Comment is too long. At most ${MAX_COMMENT_LENGTH} characters.`);
const text = field(Type.String());
const detection = Type.Optional(text);
const WRONG_FORMAT = wrongBody('Incorrect data format');
export const CommentBody = refusing(documentOf({ value, detection }), wrongBody('Incorrect data format!'));
const CommentChangeBody = refusing(documentOf({ value }), WRONG_FORMAT);
const ReactionBody = refusing(AnyReactionBody, WRONG_FORMAT);
const NotebookBody = refusing(documentOf({ value: text, name: text, detection }), WRONG_FORMAT);
const GoneCommentsBody = textListBody('Supply at least one comment to delete.', { minItems: 1 });
const GoneNotebooksBody = textListBody('A notebook id is necessary for deletion.', { minItems: 1 });

const ById = pathParameters('id');
const ByComment = pathParameters('id', 'comment_id');

const shown = (analytic: Analytic) => toOutput(analyticDocument, analytic);

/** `/api/v1/analytic`: detectors, comments on them, and their notebooks. */
export const analyticRoutes =
  ({ analytics, discussion, users }: AnalyticRouteDependencies): RouteModule =>
  (app) => {
    const response = { 200: AnalyticReply };

    app.get(
      '/api/v1/analytic/',
      { access: READ, schema: { summary: 'List analytics', response: { 200: Type.Array(AnalyticReply) } } },
      async () => (await analytics.list()).map((item) => itemOfV1(analyticDocument, item)),
    );

    app.get(
      '/api/v1/analytic/:id',
      { access: READ, schema: { summary: 'Get an analytic', params: ById, response } },
      async ({ params }) => shown(await analytics.get(params.id, 'Analytic does not exist')),
    );

    app.put(
      '/api/v1/analytic/:id',
      {
        access: CHANGE,
        schema: {
          summary: 'Change description or triage settings',
          params: ById,
          querystring: RefreshQuery,
          body: AnalyticChangeBody,
          response,
        },
      },
      async ({ params, body, query }) => shown(await analytics.update(params.id, body, query.refresh)),
    );

    app.post(
      '/api/v1/analytic/:id/owner',
      {
        access: WRITE,
        schema: {
          summary: 'Transfer an analytic to another user',
          params: ById,
          querystring: RefreshQuery,
          body: OwnerBody,
          response,
        },
      },
      async ({ params, body, query }) => shown(await analytics.setOwner(params.id, body.username, query.refresh)),
    );

    app.post(
      '/api/v1/analytic/:id/comments',
      { access: DISCUSS, schema: { summary: 'Add a comment', params: ById, body: CommentBody, response } },
      async ({ actor, params, body }) => shown(await discussion.addComment(actor, params.id, body)),
    );

    app.delete(
      '/api/v1/analytic/:id/comments',
      {
        access: DISCUSS,
        schema: { summary: 'Delete comments', params: ById, response: NO_CONTENT, body: GoneCommentsBody },
      },
      async ({ actor, params, body }) => discussion.removeComments(actor, params.id, body),
    );

    app.put(
      '/api/v1/analytic/:id/comments/:comment_id',
      {
        access: DISCUSS,
        schema: { summary: 'Edit an own comment', params: ByComment, body: CommentChangeBody, response },
      },
      async ({ actor, params, body }) =>
        shown(await discussion.editComment(actor, params.id, params.comment_id, body.value)),
    );

    app.put(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { summary: 'React to a comment', params: ByComment, body: ReactionBody, response } },
      async ({ actor, params, body }) => shown(await discussion.react(actor, params.id, params.comment_id, body.type)),
    );

    app.delete(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { summary: 'Take the own reaction back', params: ByComment, response } },
      async ({ actor, params }) => shown(await discussion.react(actor, params.id, params.comment_id, undefined)),
    );

    app.post(
      '/api/v1/analytic/:id/notebooks',
      { access: DISCUSS, schema: { summary: 'Link a notebook', params: ById, body: NotebookBody, response } },
      async ({ actor, params, body }) => shown(await discussion.addNotebook(actor, params.id, body)),
    );

    app.delete(
      '/api/v1/analytic/:id/notebooks',
      {
        access: DISCUSS,
        schema: { summary: 'Remove notebooks', params: ById, response: NO_CONTENT, body: GoneNotebooksBody },
      },
      async ({ actor, params, body }) => discussion.removeNotebooks(actor, params.id, body),
    );

    app.post(
      '/api/v1/analytic/:id/favourite',
      { access: CHANGE, schema: { summary: 'Mark an analytic as favourite', params: ById } },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.addFavouriteAnalytic(actor.username, params.id);
      },
    );

    app.delete(
      '/api/v1/analytic/:id/favourite',
      {
        access: CHANGE,
        schema: { summary: 'Take an analytic from the favourites', params: ById, response: NO_CONTENT },
      },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.removeFavouriteAnalytic(actor.username, params.id);
      },
    );
  };
