import { said } from '@/lib/messages/in-english';
import { CodedError, isCodedError } from '@/lib/protocol/errors';
import { unavailable } from '@/server/redis/connection-options';

/** The end of a connection, which ends what waits for an answer on it. */
export interface ConnectionLoss {
  happened: (error: Error | null) => void;
  /** `work`, or a rejection with TARGET_UNAVAILABLE as soon as the connection is lost. */
  orDone: <T>(work: Promise<T>) => Promise<T>;
}

export function createConnectionLoss(url: string): ConnectionLoss {
  const loss = Promise.withResolvers<never>();
  // Told to whoever asks; with nobody asking it is no failure.
  loss.promise.catch(() => undefined);
  return {
    happened: (error) => loss.reject(error ?? lost()),
    orDone: async (work) => {
      try {
        return await Promise.race([work, loss.promise]);
      } catch (error) {
        throw isCodedError(error) ? error : unavailable(url, error);
      }
    },
  };
}

const lost = (): CodedError => new CodedError('TARGET_UNAVAILABLE', said('unreachable:lost', {}));
