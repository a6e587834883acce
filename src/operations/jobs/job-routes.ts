import { Type } from 'typebox';
import { auditOrigin } from '../../http/guard.ts';
import { pathParameters } from '../../http/input/input-schemas.ts';
import type { RouteModule } from '../../http/route-access.ts';
import type { AuditLog } from '../../identity/audit/audit-log.ts';
import { nullable } from '../../input/nullable.ts';
import type { JobScheduler } from '../../jobs/job-scheduler.ts';
import { CHANGE, READ } from '../operations-access.ts';
import type { JobOverview } from './job-overview.ts';

export interface JobRouteDependencies {
  readonly overview: Pick<JobOverview, 'list'>;
  readonly scheduler: Pick<JobScheduler, 'begin'>;
  readonly auditLog: AuditLog;
}

const tags = ['jobs'];
const Begun = {
  started_at: Type.String({ description: 'ISO 8601.' }),
  started_by: nullable(Type.String({ description: 'User who started it; null: its crontab or a command did.' })),
};
const Step = Type.Object(
  {
    name: Type.String(),
    outcome: Type.String({ enum: ['done', 'failed', 'skipped'] }),
    changed: Type.Integer(),
    detail: Type.Optional(Type.String()),
  },
  { title: 'JobStep' },
);
const Run = Type.Object(
  {
    ...Begun,
    ended_at: Type.String(),
    outcome: Type.String({ enum: ['done', 'failed', 'interrupted'] }),
    changed: Type.Integer({ description: 'Documents and indices that it changed.' }),
    steps: Type.Array(Step, { description: 'The first 100 parts of the run.' }),
    error: nullable(Type.String()),
  },
  { title: 'JobRun' },
);
const Running = Type.Object(
  { ...Begun, done: nullable(Type.Integer()), total: nullable(Type.Integer()) },
  { title: 'RunningJob' },
);
const Job = Type.Object(
  {
    name: Type.String(),
    summary: Type.String(),
    enabled: Type.Boolean({ description: 'False: it runs by hand alone.' }),
    crontab: Type.String(),
    time_zone: Type.String(),
    available: Type.Boolean({ description: 'False: the search engine does this work by itself.' }),
    next_run: nullable(Type.String()),
    running: nullable(Running),
    last_run: nullable(Run),
  },
  { title: 'Job' },
);
const Jobs = Type.Object({
  scheduled_here: Type.Boolean({ description: 'False: the answering process does not run jobs at their times.' }),
  jobs: Type.Array(Job),
});

/** Serves the work that runs by a crontab. */
export const jobRoutes =
  ({ overview, scheduler, auditLog }: JobRouteDependencies): RouteModule =>
  (app) => {
    app.get(
      '/v1/jobs',
      { access: READ, schema: { tags, summary: 'List the jobs with their runs', response: { 200: Jobs } } },
      () => overview.list(),
    );

    app.post(
      '/v1/jobs/:name/run',
      {
        access: CHANGE,
        schema: {
          tags,
          summary: 'Begin a run of a job now',
          description: 'Answers when the run has begun. The list of jobs shows its progress and outcome.',
          params: pathParameters({ name: ['Name of the job.', 'view_cleanup'] }),
          response: { 202: Type.Object({ job: Type.String() }) },
          refusals: [409],
        },
      },
      async (request) => {
        const { name } = request.params;
        const origin = auditOrigin(request, 'operations');
        await scheduler.begin(name, request.actor.username);
        auditLog.write({ ...origin, event: 'job_started', target: name });
        return { job: name };
      },
    );
  };
