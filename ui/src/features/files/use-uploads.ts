import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useStore } from '../../state/use-store.ts';
import { submitFile } from './upload.ts';
import { type Upload, UploadQueue } from './upload-queue.ts';

export interface Uploads {
  readonly uploads: readonly Upload[];
  readonly add: (files: readonly File[]) => void;
  readonly cancel: (id: number) => void;
}

/** Key of all lists of submissions. */
export const SUBMISSIONS_KEY = ['analysis', 'submissions'];

/** The uploads of this window. The pages come and go; the uploads stay until they are sent. */
const queue = new UploadQueue(submitFile);

/**
 * Submits files, and shows the uploads of this window.
 * @param onAlone called with the submission of a file that was added alone, while the page is shown and
 * no other file waits
 */
export function useUploads(onAlone: (sid: string) => void): Uploads {
  const queryClient = useQueryClient();
  const uploads = useStore(queue.uploads);
  const isShown = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return {
    uploads,
    add: (files) =>
      queue.add(files, (sid, isAlone) => {
        void queryClient.invalidateQueries({ queryKey: SUBMISSIONS_KEY });
        if (isAlone && isShown.current) onAlone(sid);
      }),
    cancel: (id) => queue.cancel(id),
  };
}
