import { syncServerContract } from "../../contracts/sync-server.ts";
import { postgresCluster, postgresPrograms } from "../../support/postgres-cluster.ts";
import { scratchForFile } from "../../support/scratch-for-file.ts";

const programs = postgresPrograms();

syncServerContract("the embedded database", true, { place: async () => ({ directory: scratchForFile() }) });
syncServerContract("a PostgreSQL server", programs !== undefined, {
  place: async () => ({ directory: scratchForFile(), databaseUrl: await postgresCluster(programs ?? "") }),
});
