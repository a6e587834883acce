import { flushCompileCache } from 'node:module';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';
import type { AnalyzerRequest } from '../analyzer.ts';
import { loadAnalyzer } from '../load-analyzer.ts';
import type { AnalyzerReply } from './analyzer-messages.ts';

// Main file of an analyzer process: one JSON line in, one JSON line out, over the socket that it inherits. It has no
// settings, no connection to anything else, and may read the program and its own folder alone.

/** Characters of an error that people see. */
const MAX_MESSAGE = 2000;
/** Analyzers whose compiled code is kept. */
const flushed = new Set<string>();

// The socket ends when the parent does, also by SIGKILL.
const socket = new Socket({ fd: 3 });
for (const event of ['end', 'close', 'error']) socket.once(event, () => process.kill(process.pid, 'SIGKILL'));

for await (const line of createInterface({ input: socket })) {
  const request = JSON.parse(line) as AnalyzerRequest;
  socket.write(`${JSON.stringify(await reply(request))}\n`);
  flushOnce(request.analyzer);
}

/** Keeps compiled code for the next process: this one will be killed. Saves it 100 ms and 20 MB. */
function flushOnce(analyzer: string): void {
  if (flushed.has(analyzer)) return;
  flushed.add(analyzer);
  flushCompileCache();
}

async function reply(request: AnalyzerRequest): Promise<AnalyzerReply> {
  try {
    const analyze = await loadAnalyzer(request.analyzer);
    return { result: await analyze(request) };
  } catch (error) {
    return { error: inspect(error).slice(0, MAX_MESSAGE) };
  }
}
