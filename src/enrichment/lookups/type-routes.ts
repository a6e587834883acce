import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import type { Actor } from '../../identity/actor.ts';
import { PreparedJson } from '../../json/sorted-json.ts';
import { ANY_CALLER } from '../any-caller.ts';
import type { SourceDirectory } from '../sources/source-directory.ts';
import type { SupportedTypes } from '../supported-types/supported-types.ts';

const TypesReply = Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Types by source.' });
const DetectionReply = Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
  description:
    'Regular expressions by type, the most specific first: clients take the first that fits. Null: the type is not detected.',
});

interface TypeDependencies {
  readonly sources: SourceDirectory;
  readonly supportedTypes: SupportedTypes;
}

/** Serves the types of values that sources offer, and how clients detect them. */
export const typeRoutes =
  ({ sources, supportedTypes }: TypeDependencies): RouteModule =>
  (app) => {
    app.get(
      '/api/v1/lookup/types/',
      {
        access: { ...ANY_CALLER, audit: true },
        schema: {
          tags: ['lookup'],
          summary: 'Types of values that each source looks up',
          response: { 200: TypesReply },
        },
      },
      async ({ actor }) => typesBySource(sources, actor),
    );

    app.get(
      '/api/v1/lookup/types_detection/',
      {
        access: { ...ANY_CALLER, audit: true },
        schema: {
          tags: ['lookup'],
          summary: 'Regular expressions that detect the types of values',
          response: { 200: DetectionReply },
        },
      },
      async ({ actor }) => {
        const types = new Set<string>();
        for (const offered of await Promise.all(sources.all().map((source) => source.types(actor)))) {
          for (const type in offered) types.add(type);
        }
        const detection = supportedTypes.detection(types);
        return new PreparedJson(detection, JSON.stringify(detection));
      },
    );
  };

/** Returns types by source, as far as the actor may see both; none for a source that does not answer. */
async function typesBySource(
  sources: SourceDirectory,
  actor: Pick<Actor, 'classification'>,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found = sources
    .visibleTo(actor)
    .map(async (source) => [source.settings.name, Object.keys((await source.types(actor)) ?? {})] as const);
  return Object.fromEntries(await Promise.all(found));
}
