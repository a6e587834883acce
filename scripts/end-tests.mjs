// Loaded into every process of tests. One whose tests are done has to end by itself; when something keeps it open, such as a server that
// a preparation started before it failed, it no longer counts. Node's own --test-force-exit ends processes before their results were
// handed over: whole files were missing from the sum.
import { after } from 'node:test';
import { isMainThread } from 'node:worker_threads';

const PATIENCE = 5000;

// The threads of a process load this too, and have no tests.
if (isMainThread) after(letGo);

function letGo() {
  // None of these timers keeps the process open by itself.
  setTimeout(() => {
    console.error(
      `The tests are done, and these keep the process open: ${process.getActiveResourcesInfo().join(', ')}`,
    );
    for (const handle of process._getActiveHandles()) handle.unref?.();
    // Results are handed over when nothing is left to do; a process that does not come to it says nothing, which counts as a failure.
    setTimeout(() => process.exit(1), PATIENCE).unref();
  }, PATIENCE).unref();
}
