import { createSocket } from 'node:dgram';

/** Names of record types by their numbers (RFC 1035, 3596). */
const TYPES: Readonly<Record<number, string>> = { 1: 'A', 2: 'NS', 12: 'PTR', 15: 'MX', 16: 'TXT', 28: 'AAAA' };
const NAME_ERROR = 3;

/** Data of records as they are sent; a number is a response code; `silent`: no answer. */
export type NameScript = (name: string, type: string) => readonly Buffer[] | number | 'silent';

/** A name server on a free UDP port of loopback that answers as told, and notes what it was asked. */
export async function startScriptedNameServer(script: NameScript) {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, end } = nameIn(message);
    const number = message.readUInt16BE(end);
    const type = TYPES[number] ?? String(number);
    asked.push(`${type} ${name}`);
    const found = script(name, type);
    if (found === 'silent') return;
    const records = typeof found === 'number' ? [] : found;
    const header = Buffer.alloc(12);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x8180 | (typeof found === 'number' ? found : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    const question = message.subarray(12, end + 4);
    socket.send(Buffer.concat([header, question, ...records.map((data) => recordOf(number, data))]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}

/** The response code for a name that does not exist. */
export const NO_SUCH_NAME = NAME_ERROR;

/** Returns a name as records hold it: labels, each with its length. */
export function encodedName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

/** Reads the name of the question and returns where it ends. */
function nameIn(message: Buffer): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString('latin1'));
    at += length + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}
