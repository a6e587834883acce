import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { Type } from '../../schema/type.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { HelpTexts } from './help-texts.ts';

const ACCESS: GuardedAccess = { ...ANY_CALLER, audit: true };

const tags = ['static'];
const FilterQuery = Type.Object({
  filter: Type.Optional(Type.String({ description: 'Only files whose name holds this text.' })),
});
const TextsReply = Type.Record(Type.String(), Type.String(), { description: 'Texts by file name.' });
const TextReply = Type.Object({ markdown: Type.String() });

/** `/api/v1/static/docs`: the texts of the help page. */
export const helpTextRoutes =
  ({ texts }: { texts: HelpTexts }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/static/docs',
      {
        access: ACCESS,
        schema: { tags, summary: 'Texts of the help page', querystring: FilterQuery, response: { 200: TextsReply } },
      },
      async ({ query }) => {
        const { filter } = query as { filter?: unknown };
        return texts.all(typeof filter === 'string' ? filter : '');
      },
    );

    app.get<{ Params: { '*': string } }>(
      '/api/v1/static/docs/*',
      {
        access: ACCESS,
        wildcard: 'filename',
        schema: { tags, summary: 'One text of the help page', response: { 200: TextReply } },
      },
      async ({ params }) => ({ markdown: await texts.one(params['*'].replace(/\/+$/, '')) }),
    );
  };
