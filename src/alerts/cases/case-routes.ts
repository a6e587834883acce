import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import type { RouteModule } from '../../http/route-access.ts';
import { readRefresh } from '../refresh-argument.ts';
import type { CaseStore } from './case-store.ts';

/** `/api/v2/case`: investigations. */
export const caseRoutes =
  ({ cases }: { cases: CaseStore }): RouteModule =>
  (app) => {
    app.delete(
      '/api/v2/case/',
      {
        access: { privileges: ['W'], roles: ['admin'], audit: true },
        schema: {
          tags: ['case'],
          summary: 'Delete cases; those that do not exist are ignored',
          body: Type.Array(Type.String()),
        },
      },
      async ({ actor, body, query }, reply) => {
        if (!Array.isArray(body) || body.length === 0 || !body.every((id) => typeof id === 'string')) {
          throw new InvalidInput('invalid_body', 'The body must be a list of case ids, at least one.');
        }
        await cases.delete(actor, body, readRefresh(query));
        reply.code(204);
      },
    );
  };
