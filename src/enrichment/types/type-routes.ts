import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { TypeService } from './type-service.ts';

const TypesReply = Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Types by source.' });

/** Serves `/api/v1/lookup/types`: the types of values that each source offers. */
export const typeRoutes =
  ({ types }: { types: TypeService }): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/lookup/types/',
      {
        access: { ...ANY_CALLER, audit: true },
        schema: { tags: ['lookup'], summary: 'What can be looked up where', response: { 200: TypesReply } },
      },
      async ({ actor }) => types.typesBySource(actor),
    );
  };
