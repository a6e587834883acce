import { loadConfig } from '../config/config.ts';
import { jobSchedules, nextRun } from '../jobs/job-schedules.ts';
import { type Command, type CommandContext, type ExitStatus, loadCommandConfig, WrongUse } from './command.ts';
import { createProgressDisplay } from './progress-display.ts';
import { alignColumns, count } from './text-format.ts';

/** Commands for the work that runs by a crontab. */
export const JOB_COMMANDS: readonly Command[] = [
  {
    name: 'jobs list',
    usage: '',
    summary: 'List the jobs with their crontabs and next times.',
    flags: {},
    async run({ environment, print }) {
      const now = new Date();
      const rows = jobSchedules(loadConfig({ environment })).map((schedule) => {
        const next = nextRun(schedule, now)?.toISOString() ?? 'off';
        return [schedule.name, schedule.crontab, schedule.timeZone, next, schedule.summary];
      });
      for (const line of alignColumns([['JOB', 'CRONTAB', 'TIME ZONE', 'NEXT RUN', ''], ...rows])) print(line);
      return 0;
    },
  },
  {
    name: 'jobs run',
    usage: 'JOB',
    summary: 'Run a job now, also one that is off. With the embedded engine, stop the program first.',
    flags: { 'dry-run': { value: 'none', description: 'report what would be changed, and change nothing' } },
    run: (context, flags, name) => runJob(context, name, flags['dry-run'] !== undefined),
  },
  {
    name: 'expire',
    usage: '',
    summary: 'Delete what expired in the analysis service now: the job expiry. See jobs run.',
    flags: { 'dry-run': { value: 'none', description: 'count what would be deleted, and delete nothing' } },
    run: (context, flags) => runJob(context, 'expiry', flags['dry-run'] !== undefined),
  },
];

async function runJob(context: CommandContext, name: string, dryRun: boolean): Promise<ExitStatus> {
  const config = loadCommandConfig(context);
  const names = jobSchedules(config).map((schedule) => schedule.name);
  if (!names.includes(name)) throw new WrongUse(`There is no job "${name}". Allowed: ${names.join(', ')}.`);
  const logger = context.createLogger('CRITICAL', config.logging.log_as_json);
  const { openServices } = await import('../program.ts');
  const services = await openServices(config, { version: context.version, logger });
  const display = await createProgressDisplay(context);
  try {
    const progress = (done: number, total: number) => display.show(name, done, total);
    const steps = await services.jobs.runNow(name, { signal: context.ending, dryRun, progress });
    display.end();
    const rows = steps.map((step) => [step.name, step.outcome, count(step.changed), step.detail ?? '']);
    const heading = ['STEP', 'OUTCOME', dryRun ? 'WOULD CHANGE' : 'CHANGED', ''];
    for (const line of alignColumns([heading, ...rows])) context.print(line);
    return steps.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
  } catch (error) {
    if (!context.ending.aborted) throw error;
    context.printError(`Interrupted (${String(context.ending.reason)}). Run it again to continue.`);
    return 1;
  } finally {
    display.end();
    await services.close();
  }
}
