import { Type } from 'typebox';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { GuardedAccess, RouteModule } from '../../http/route-access.ts';
import { text } from '../../input/input-kinds.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { HelpTexts } from './help-texts.ts';

const ACCESS: GuardedAccess = { ...ANY_CALLER, audit: true };

const tags = ['static'];
const FilterQuery = Type.Object({
  filter: text({ description: 'Only files whose name contains this string.', default: '' }),
});
const TextsReply = Type.Record(Type.String(), Type.String(), { description: 'Texts by file name.' });
const TextReply = Type.Object({ markdown: Type.String() });

/** Serves `/api/v1/static/docs`: the texts of the help page. */
export const helpTextRoutes =
  ({ texts }: { texts: HelpTexts }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/static/docs',
      {
        access: ACCESS,
        schema: { tags, summary: 'Texts of the help page', querystring: FilterQuery, response: { 200: TextsReply } },
      },
      async ({ query }) => texts.all(query.filter),
    );

    app.get(
      '/api/v1/static/docs/*',
      {
        access: ACCESS,
        wildcard: 'filename',
        schema: {
          tags,
          summary: 'One text of the help page',
          params: pathParameters({ '*': ['Path of the text.', 'guide.md'] }),
          response: { 200: TextReply },
        },
      },
      async ({ params }) => ({ markdown: await texts.one(params['*'].replace(/\/+$/, '')) }),
    );
  };
