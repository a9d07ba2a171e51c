import { dreamsContract } from "../../contracts/dreams.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

const programs = postgresPrograms();

dreamsContract("the embedded database", true, { place: async () => ({ directory: scratchForFile() }) });
dreamsContract("a PostgreSQL server", programs !== undefined, {
  place: async () => ({ directory: scratchForFile(), databaseUrl: await postgresCluster(programs ?? "") }),
});
