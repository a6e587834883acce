import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { OwnSource } from '../sources/own-source.ts';
import type { SourceDirectory } from '../sources/source-directory.ts';
import type { LimitedSources } from './limited-sources.ts';
import { SourceStatus, statusOf } from './source-status.ts';

interface SourceRoutesDependencies {
  readonly sources: Pick<SourceDirectory, 'visibleTo'>;
  readonly limited: Pick<LimitedSources, 'of'>;
  readonly own: readonly OwnSource[];
}

/** Serves `/api/v1/sources`: the state of the sources that the caller may see. */
export const sourceRoutes =
  ({ sources, limited, own }: SourceRoutesDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/sources/',
      {
        access: ANY_CALLER,
        schema: {
          tags: ['lookup'],
          summary: 'State of the sources, and what is left of their limits',
          response: { 200: Type.Array(SourceStatus, { description: 'As the process that answers sees them.' }) },
        },
      },
      async ({ actor }) => {
        const all = await Promise.all(sources.visibleTo(actor).map((source) => statusOf(source, limited)));
        return all
          .filter((status) => status !== undefined)
          .map((status) => {
            const source = own.find(({ name }) => name === status.name && status.origin === 'own');
            return { ...status, ...source?.statusFor?.(actor.classification) };
          });
      },
    );
  };
