// Stands in for LLFIO's header of this name, of which the backend calls nothing.
#pragma once
