import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { submitFile } from './upload.ts';

export interface Upload {
  readonly id: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  readonly sid?: string;
  readonly problem?: unknown;
}

export interface Uploads {
  readonly uploads: readonly Upload[];
  readonly add: (files: readonly File[]) => void;
  readonly cancel: (id: number) => void;
}

/** Key of all lists of submissions. */
export const SUBMISSIONS_KEY = ['analysis', 'submissions'];

let lastId = 0;

/**
 * Submits files one after the other, each with its progress; ends them when the page is left.
 * @param onAlone called with the submission of a file that was added alone
 */
export function useUploads(onAlone: (sid: string) => void): Uploads {
  const queryClient = useQueryClient();
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const controllers = useRef(new Map<number, AbortController>());
  const last = useRef<Promise<void>>(Promise.resolve());
  useEffect(() => {
    const running = controllers.current;
    return () => {
      for (const controller of running.values()) controller.abort();
    };
  }, []);
  const change = (id: number, changes: Partial<Upload>) =>
    setUploads((before) => before.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));

  const send = async (id: number, file: File, isAlone: boolean) => {
    const controller = controllers.current.get(id);
    if (controller === undefined || controller.signal.aborted) return;
    change(id, { state: 'sending' });
    try {
      const sid = await submitFile(file, (sent, size) => change(id, { sent, size }), controller.signal);
      change(id, { state: 'done', sid });
      void queryClient.invalidateQueries({ queryKey: SUBMISSIONS_KEY });
      if (isAlone) onAlone(sid);
    } catch (problem) {
      if (!controller.signal.aborted) change(id, { state: 'failed', problem });
    } finally {
      controllers.current.delete(id);
    }
  };

  return {
    uploads,
    add: (files) => {
      const added = files.map((file) => {
        lastId += 1;
        controllers.current.set(lastId, new AbortController());
        return { file, upload: { id: lastId, name: file.name, size: file.size, sent: 0, state: 'waiting' as const } };
      });
      setUploads((before) => [...before.filter(({ state }) => state !== 'done'), ...added.map(({ upload }) => upload)]);
      for (const { file, upload } of added) {
        last.current = last.current.then(() => send(upload.id, file, added.length === 1));
      }
    },
    cancel: (id) => {
      controllers.current.get(id)?.abort();
      change(id, { state: 'cancelled' });
    },
  };
}
