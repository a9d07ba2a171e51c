/** What a job of a dream is given in its directory, and what it leaves there. */
export const JOB_FILE = "job.json";
export const RESULT_FILE = "result.json";
