import { Type } from 'typebox';
import type { RouteModule } from '../../http/route-access.ts';
import { nullable, nullableText } from '../../input/nullable.ts';
import { READ } from '../operations-access.ts';
import { MIGRATION_STATES, type MigrationOverview } from './migration-overview.ts';

const Claim = Type.Object(
  {
    id: nullableText('Identifier of the run.'),
    since: Type.String(),
    abandoned_at: Type.String({ description: 'Time from which another runner takes the migration over.' }),
  },
  { title: 'MigrationClaim' },
);
const Migration = Type.Object(
  {
    id: Type.String(),
    title: Type.String({ description: 'What it changes; empty for migrations of other versions.' }),
    state: Type.Unsafe<(typeof MIGRATION_STATES)[number]>({
      type: 'string',
      enum: [...MIGRATION_STATES],
      description:
        '`abandoned`: its runner did not finish in time. `damaged`: see `problem`. `unknown`: of another version of the program.',
    }),
    claim: nullable(Claim, { description: 'The run that is under way.' }),
    applied_at: nullableText('ISO 8601.'),
    affected_documents: nullable(Type.Integer()),
    problem: nullableText('What is wrong with its record.'),
  },
  { title: 'Migration' },
);
const Migrations = Type.Object({ migrations: Type.Array(Migration) });

/** Serves the migrations of the stored data, which `triad migrate` runs. */
export const migrationRoutes =
  ({ overview }: { readonly overview: Pick<MigrationOverview, 'list'> }): RouteModule =>
  (app) => {
    app.get(
      '/v1/migrations',
      { access: READ, schema: { tags: ['migrations'], summary: 'List the migrations', response: { 200: Migrations } } },
      async () => ({ migrations: await overview.list() }),
    );
  };
