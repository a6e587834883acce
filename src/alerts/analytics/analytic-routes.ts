import { Type } from 'typebox';
import { jsonSchema } from '../../documents/json-schema.ts';
import { type Analytic, analyticDocument } from '../../documents/kinds/analytic.ts';
import { toOutput } from '../../documents/schema/output.ts';
import { InvalidInput } from '../../errors/errors.ts';
import { pathParameters, RefreshQuery, textListBody, wrongBody } from '../../http/input/input-schemas.ts';
import {
  answerNotModified,
  CHANGES_VERSION,
  requestedVersion,
  VersionQuery,
} from '../../http/input/record-versions.ts';
import { NO_CONTENT, type RouteModule } from '../../http/route-access.ts';
import type { UserStore } from '../../identity/user-store.ts';
import { documentOf, field, refusing } from '../../input/input-kinds.ts';
import { ReactionBody as AnyReactionBody, commentText, MAX_COMMENT_LENGTH } from '../comment-schemas.ts';
import { EXAMPLE_IDS, idOf } from '../example-ids.ts';
import { CHANGE, WRITE_UNAUDITED as DISCUSS, READ, WRITE } from '../record-access.ts';
import { itemOfV1 } from '../search/item-shape.ts';
import type { AnalyticService } from './analytic-service.ts';

interface AnalyticRouteDependencies {
  analytics: AnalyticService;
  users: Pick<UserStore, 'addFavourite' | 'removeFavourite'>;
}

const AnalyticReply = jsonSchema(analyticDocument);
const AnalyticChangeBody = refusing(
  documentOf(
    { description: Type.Optional(field(Type.String())), triage_settings: Type.Optional(field(Type.Object({}))) },
    { minProperties: 1, examples: [{ description: 'Two sign-ins that no journey explains.' }] },
  ),
  wrongBody('You must provide updated data.'),
);
const noOwner = () =>
  new InvalidInput('username_missing', 'The body must name the new owner in username.', { at: 'username' });
const OwnerBody = Type.Object({ username: refusing(Type.String({ minLength: 1, examples: ['huey'] }), noOwner) });
const value = commentText(`Comment is too long. At most ${MAX_COMMENT_LENGTH} characters.`);
const text = field(Type.String());
const detection = Type.Optional(text);
const WRONG_FORMAT = wrongBody('Incorrect data format');
export const CommentBody = refusing(documentOf({ value, detection }), wrongBody('Incorrect data format!'));
const CommentChangeBody = refusing(documentOf({ value }), WRONG_FORMAT);
const ReactionBody = refusing(AnyReactionBody, WRONG_FORMAT);
const NotebookBody = refusing(
  documentOf(
    { value: text, name: text, detection },
    { examples: [{ value: 'https://nbgallery.example.org/notebooks/1', name: 'Travel times' }] },
  ),
  WRONG_FORMAT,
);
const GoneCommentsBody = textListBody('Supply at least one comment to delete.', {
  minItems: 1,
  examples: [[EXAMPLE_IDS.comment]],
});
const GoneNotebooksBody = textListBody('A notebook id is necessary for deletion.', {
  minItems: 1,
  examples: [[EXAMPLE_IDS.item]],
});

const ById = pathParameters({ id: idOf('analytic') });
const ByComment = pathParameters({ id: idOf('analytic'), comment_id: idOf('comment') });

const shown = (analytic: Analytic) => toOutput(analyticDocument, analytic);

/** `/api/v1/analytic`: detectors, comments on them, and their notebooks. */
export const analyticRoutes =
  ({ analytics, users }: AnalyticRouteDependencies): RouteModule =>
  (app) => {
    const response = { 200: AnalyticReply };
    const ofOne = { params: ById, response };
    const gone = { params: ById, response: NO_CONTENT };
    const changing = { ...ofOne, querystring: RefreshQuery };

    app.get(
      '/api/v1/analytic/',
      { access: READ, schema: { summary: 'List analytics', response: { 200: Type.Array(AnalyticReply) } } },
      async () => (await analytics.list()).map((item) => itemOfV1(analyticDocument, item)),
    );

    app.get(
      '/api/v1/analytic/:id',
      {
        access: READ,
        schema: {
          ...ofOne,
          summary: 'Get an analytic',
          querystring: VersionQuery,
          response: { ...response, 304: {} },
        },
      },
      async (request, reply) => {
        const { document, version } = await analytics.get(request.params.id, 'Analytic does not exist');
        if (request.query.versioned && answerNotModified(request, reply, version)) return undefined;
        return shown(document);
      },
    );

    app.put(
      '/api/v1/analytic/:id',
      {
        access: CHANGE,
        schema: {
          ...changing,
          summary: 'Change description or triage settings',
          ...CHANGES_VERSION,
          body: AnalyticChangeBody,
        },
      },
      async (request) => {
        const { params, body, query } = request;
        return shown(await analytics.update(params.id, body, query.refresh, requestedVersion(request)));
      },
    );

    app.post(
      '/api/v1/analytic/:id/owner',
      { access: WRITE, schema: { ...changing, summary: 'Transfer an analytic to another user', body: OwnerBody } },
      async ({ params, body, query }) => shown(await analytics.setOwner(params.id, body.username, query.refresh)),
    );

    app.post(
      '/api/v1/analytic/:id/comments',
      { access: DISCUSS, schema: { ...ofOne, summary: 'Add a comment', body: CommentBody } },
      async ({ actor, params, body }) => shown(await analytics.addComment(actor, params.id, body)),
    );

    app.delete(
      '/api/v1/analytic/:id/comments',
      { access: DISCUSS, schema: { ...gone, summary: 'Delete comments', body: GoneCommentsBody } },
      async ({ actor, params, body }) => analytics.removeComments(actor, params.id, body),
    );

    app.put(
      '/api/v1/analytic/:id/comments/:comment_id',
      {
        access: DISCUSS,
        schema: { summary: 'Edit an own comment', params: ByComment, body: CommentChangeBody, response },
      },
      async ({ actor, params, body }) =>
        shown(await analytics.editComment(actor, params.id, params.comment_id, body.value)),
    );

    app.put(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { summary: 'React to a comment', params: ByComment, body: ReactionBody, response } },
      async ({ actor, params, body }) => shown(await analytics.react(actor, params.id, params.comment_id, body.type)),
    );

    app.delete(
      '/api/v1/analytic/:id/comments/:comment_id/react',
      { access: DISCUSS, schema: { summary: 'Take the own reaction back', params: ByComment, response } },
      async ({ actor, params }) => shown(await analytics.react(actor, params.id, params.comment_id, undefined)),
    );

    app.post(
      '/api/v1/analytic/:id/notebooks',
      { access: DISCUSS, schema: { ...ofOne, summary: 'Link a notebook', body: NotebookBody } },
      async ({ actor, params, body }) => shown(await analytics.addNotebook(actor, params.id, body)),
    );

    app.delete(
      '/api/v1/analytic/:id/notebooks',
      { access: DISCUSS, schema: { ...gone, summary: 'Remove notebooks', body: GoneNotebooksBody } },
      async ({ actor, params, body }) => analytics.removeNotebooks(actor, params.id, body),
    );

    app.post(
      '/api/v1/analytic/:id/favourite',
      { access: CHANGE, schema: { summary: 'Mark an analytic as favourite', params: ById } },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.addFavourite(actor.username, 'favourite_analytics', params.id);
      },
    );

    app.delete(
      '/api/v1/analytic/:id/favourite',
      { access: CHANGE, schema: { ...gone, summary: 'Take an analytic from the favourites' } },
      async ({ actor, params }) => {
        await analytics.get(params.id, 'This analytic does not exist');
        await users.removeFavourite(actor.username, 'favourite_analytics', params.id);
      },
    );
  };
