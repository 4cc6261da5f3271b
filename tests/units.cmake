# Programs of tests and measurements: one for each folder of tests/unit that has *_test.cc files
# (the rooms in it are those of src), the parsers on damaged texts, formulas against the truth,
# engines on simulated devices.

# --- Damaged inputs, failing devices --------------------------------------------------------------

# The parsers on damaged models: the same inputs in every build. With libFuzzer, see
# tools/fuzz_dve.cc, tools/fuzz_murphi.cc and tools/fuzz_promela.cc.
file(GLOB seeds CONFIGURE_DEPENDS fuzz/dve/*)
add_executable(fuzz_dve ${source}/tools/fuzz_dve.cc)
target_compile_definitions(fuzz_dve PRIVATE XMC_FUZZ_STANDALONE)
target_link_libraries(fuzz_dve PRIVATE xmc_front)
add_test(NAME fuzz_dve COMMAND fuzz_dve --seed 1 --runs 20000 ${seeds})
file(GLOB seeds CONFIGURE_DEPENDS fuzz/murphi/*)
add_executable(fuzz_murphi ${source}/tools/fuzz_murphi.cc)
target_compile_definitions(fuzz_murphi PRIVATE XMC_FUZZ_STANDALONE)
target_link_libraries(fuzz_murphi PRIVATE xmc_front)
add_test(NAME fuzz_murphi COMMAND fuzz_murphi --seed 1 --runs 20000 ${seeds})
file(GLOB seeds CONFIGURE_DEPENDS fuzz/promela/*)
add_executable(fuzz_promela ${source}/tools/fuzz_promela.cc)
target_compile_definitions(fuzz_promela PRIVATE XMC_FUZZ_STANDALONE)
target_link_libraries(fuzz_promela PRIVATE xmc_front)
add_test(NAME fuzz_promela COMMAND fuzz_promela --seed 1 --runs 20000 ${seeds})

# Every engine with files on a card that fails. By hand: fault_campaign --long --seed S.
add_executable(fault_campaign storage/fault_campaign.cc storage/case.cc storage/damage.cc
  storage/jobs.cc storage/probe.cc storage/process.cc storage/tally.cc)
target_link_libraries(fault_campaign PRIVATE xmc_cli)
target_include_directories(fault_campaign PRIVATE unit)
set(budget 20)
if(part)
  target_compile_definitions(fault_campaign PRIVATE XMC_TEST_LIGHT=${part})
  set(budget 30)
endif()
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME fault_campaign COMMAND fault_campaign --seed 1 --budget ${budget})
  add_test(NAME fault_canary
    COMMAND fault_campaign --canary --only mono/violated --cases 100 --budget 60)
  set_tests_properties(fault_campaign fault_canary PROPERTIES TIMEOUT 600)
endif()

# Sanitizers are for these, and for the tool as a whole.
if(XMC_BRIEF)
  return()
endif()

# --- Unit tests -----------------------------------------------------------------------------------

add_library(xmc_test_main OBJECT unit/main.cc)
target_link_libraries(xmc_test_main PUBLIC xmc_flags)
target_compile_definitions(xmc_test_main PUBLIC DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS)
if(part)
  target_compile_definitions(xmc_test_main PUBLIC XMC_TEST_LIGHT=${part})
endif()
# Parsing these takes longer than the rest of many tests. All areas share one precompiled text.
target_precompile_headers(xmc_test_main PRIVATE
  <doctest/doctest.h> <algorithm> <functional> <map> <memory> <random> <set> <span> <string>
  <vector>)
# In precompiled text GCC 12 no longer knows a system header, and warns of its own std::string.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(xmc_test_main PUBLIC -Wno-array-bounds -Wno-restrict
    -Wno-stringop-overflow -Wno-stringop-overread)
endif()

# The engines' tests take as long as all others together: two processes share them.
set(cycle_tests "*/engine/cycles/*,*/engine/levels/path_resume*")
set(unit_engine_options "--source-file-exclude=${cycle_tests}")
file(GLOB areas CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/unit unit/*)
foreach(area ${areas})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS unit/${area}/*_test.cc)
  if(sources)
    add_executable(unit_${area} ${sources})
    xmc_by_folder(unit_${area})
    target_link_libraries(unit_${area} PRIVATE xmc_test_main xmc_cli xmc_phf)
    target_include_directories(unit_${area} PRIVATE unit unit/${area})  # what rooms share
    target_precompile_headers(unit_${area} REUSE_FROM xmc_test_main)
    add_test(NAME unit_${area} COMMAND unit_${area} ${unit_${area}_options}
             WORKING_DIRECTORY ${source})
    set_tests_properties(unit_${area} PROPERTIES TIMEOUT 1500)
  endif()
endforeach()
# The backend of LLFIO is compiled and tested in every build: without LLFIO, on what stands in for
# it.
if(NOT XMC_HAVE_LLFIO)
  add_library(xmc_llfio_stand_in OBJECT ${source}/platform/device_llfio.cc)
  target_compile_definitions(xmc_llfio_stand_in PRIVATE XMC_HAVE_LLFIO=1
    PUBLIC XMC_LLFIO_STAND_IN=1)
  target_include_directories(xmc_llfio_stand_in SYSTEM PUBLIC llfio_stand_in)
  target_link_libraries(xmc_llfio_stand_in PUBLIC xmc_flags PRIVATE xmc_strict)
  target_link_libraries(unit_platform PRIVATE xmc_llfio_stand_in)
endif()
add_test(NAME unit_engine_cycles COMMAND unit_engine --source-file=${cycle_tests}
         WORKING_DIRECTORY ${source})
set_tests_properties(unit_engine_cycles PROPERTIES TIMEOUT 1500)
# The longest ones begin, so that none of them is alone at the end.
set_tests_properties(unit_engine unit_engine_cycles PROPERTIES COST 300)
set_tests_properties(unit_store PROPERTIES COST 100)

# Owners that are processes.
if(XMC_HAVE_MPI)
  add_executable(mpi_peers_test mpi/mpi_peers_test.cc)
  target_link_libraries(mpi_peers_test PRIVATE xmc_mpi xmc_core MPI::MPI_C)
  target_include_directories(mpi_peers_test PRIVATE unit unit/engine)
  target_compile_definitions(mpi_peers_test PRIVATE
    DOCTEST_CONFIG_NO_EXCEPTIONS_BUT_WITH_ALL_ASSERTS)
  set_target_properties(mpi_peers_test PROPERTIES XMC_SHARED ON)
  foreach(processes 1 2 3 5)
    add_test(NAME mpi_peers_${processes} COMMAND ${mpiexec} ${processes}
      $<TARGET_FILE:mpi_peers_test>)
    set_tests_properties(mpi_peers_${processes} PROPERTIES TIMEOUT 300)
  endforeach()
endif()

# The front end of Murphi on models with known answers, where a folder with them is given.
set(XMC_MURPHI_MODELS "" CACHE PATH "folder of folders of Murphi models, each with truth.csv")
add_executable(parse_model murphi/parse_model.cc)
target_link_libraries(parse_model PRIVATE xmc_front)
if(XMC_MURPHI_MODELS AND NOT CMAKE_CROSSCOMPILING)
  add_test(NAME murphi_models
    COMMAND ${XMC_PYTHON} murphi/parse_models.py $<TARGET_FILE:parse_model> ${XMC_MURPHI_MODELS}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
endif()

# The front end of Promela, by a reference explorer on its graphs: on our models, and on others with
# known answers where a folder with them is given.
set(XMC_PROMELA_MODELS "" CACHE STRING "folders of Promela models, each with truth.csv")
add_executable(explore_model oracle/promela/explore_model.cc oracle/promela/explorer.cc
  oracle/promela/machine.cc)
target_link_libraries(explore_model PRIVATE xmc_front)
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME promela_models
    COMMAND ${XMC_PYTHON} oracle/promela/explore_models.py $<TARGET_FILE:explore_model>
      models/promela ${XMC_PROMELA_MODELS}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(promela_models PROPERTIES TIMEOUT 1500)
endif()

# Random models, reduced, against the whole ones; --count and --seed give more. A rule that is left
# out has to be noticed.
add_executable(fuzz_dead reduction/fuzz_dead.cc reduction/random_model.cc reduction/pair.cc
  reduction/state_graph.cc)
target_link_libraries(fuzz_dead PRIVATE xmc_cli)
set(reduced_models 3000)
if(part)
  set(reduced_models 300)
endif()
add_test(NAME fuzz_dead COMMAND fuzz_dead --seed 1 --count ${reduced_models})
if(NOT CMAKE_CROSSCOMPILING AND NOT XMC_SANITIZE)
  foreach(rule others observers elements senders failures loops)
    add_test(NAME fuzz_dead_without_${rule}
      COMMAND fuzz_dead --seed 1 --count 10000 --without ${rule} --enough 1)
  endforeach()
endif()
add_executable(check_promela reduction/check_promela.cc reduction/pair.cc reduction/state_graph.cc)
target_link_libraries(check_promela PRIVATE xmc_cli)
if(NOT CMAKE_CROSSCOMPILING)
  add_test(NAME reduced_promela
    COMMAND ${XMC_PYTHON} reduction/random_promela.py $<TARGET_FILE:check_promela> --count 300
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB own_models CONFIGURE_DEPENDS models/promela/*.pml)
  file(GLOB small_models CONFIGURE_DEPENDS reduction/promela/*.pml)
  add_test(NAME reduced_promela_own COMMAND check_promela ${own_models})
  add_test(NAME reduced_promela_own_steps
    COMMAND check_promela --steps ${own_models} ${small_models})
  add_test(NAME reduced_promela_steps
    COMMAND ${XMC_PYTHON} reduction/random_promela.py $<TARGET_FILE:check_promela> --count 300
      --steps
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  add_test(NAME reduced_promela_deep
    COMMAND ${XMC_PYTHON} reduction/random_promela.py $<TARGET_FILE:check_promela> --count 200
      --steps --deep
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(asked goals claims)
    add_test(NAME reduced_promela_own_${asked}
      COMMAND check_promela --${asked} ${own_models} ${small_models})
    add_test(NAME reduced_promela_${asked}
      COMMAND ${XMC_PYTHON} reduction/random_promela.py $<TARGET_FILE:check_promela> --count 100
        --${asked}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  endforeach()
  # That the mistakes are seen is asked once.
  if(NOT XMC_SANITIZE)
    foreach(rule discord disabled errors dry-run)
      add_test(NAME reduced_promela_steps_without_${rule}
        COMMAND ${XMC_PYTHON} reduction/random_promela.py $<TARGET_FILE:check_promela> --count 300
          --steps --without ${rule}
        WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    endforeach()
    # One small model each.
    foreach(model sorted counted)
      add_test(NAME reduced_promela_steps_without_heads_${model}
        COMMAND check_promela --steps --without heads reduction/promela/${model}.pml
        WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    endforeach()
    foreach(rule goals falsifying sticky)
      add_test(NAME reduced_promela_goals_without_${rule}
        COMMAND check_promela --goals --without ${rule} ${small_models})
    endforeach()
    foreach(rule visible invisible sticky)
      add_test(NAME reduced_promela_claims_without_${rule}
        COMMAND check_promela --claims --without ${rule} ${small_models})
    endforeach()
    # Few models show that a body's reads were forgotten: one of these 500.
    set(seed_of_bodies 501)
    foreach(rule observers elements bodies loops)
      set(seed 1)
      if(DEFINED seed_of_${rule})
        set(seed ${seed_of_${rule}})
      endif()
      add_test(NAME reduced_promela_without_${rule}
        COMMAND ${XMC_PYTHON} reduction/random_promela.py $<TARGET_FILE:check_promela> --count 500
          --seed ${seed} --without ${rule}
        WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    endforeach()
  endif()
endif()

# What the lowering is told of models, beside every state of them.
add_executable(check_facts oracle/promela/check_facts.cc oracle/promela/explorer.cc
  oracle/promela/machine.cc)
target_link_libraries(check_facts PRIVATE xmc_front)
if(NOT CMAKE_CROSSCOMPILING)
  set(models)
  foreach(folder models/promela ${XMC_PROMELA_MODELS})
    file(GLOB found CONFIGURE_DEPENDS ${folder}/*.pml)
    list(APPEND models ${found})
  endforeach()
  add_test(NAME promela_facts COMMAND check_facts --limit 2000 ${models}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  # Random models, beside SPIN where that is installed.
  add_test(NAME random_promela
    COMMAND ${XMC_PYTHON} oracle/promela/random_models.py $<TARGET_FILE:explore_model>
      --facts $<TARGET_FILE:check_facts> --tool ${tool} --spin --count 40 --limit 500
      --out ${PROJECT_BINARY_DIR}/fuzz
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(promela_facts random_promela PROPERTIES TIMEOUT 1500)
endif()

# Automata of random formulas against the truth on lassos; --count and --seed give more.
add_executable(random_formulas ltl/random_formulas.cc)
target_link_libraries(random_formulas PRIVATE xmc_ltl)
set(formulas 5000)
if(part)
  set(formulas 500)
endif()
add_test(NAME random_formulas COMMAND random_formulas --seed 1 --count ${formulas})

# Their parser and the readers of automata on damaged inputs.
file(GLOB automata CONFIGURE_DEPENDS ltl/elsewhere/* ltl/*.ltl)
add_executable(fuzz_inputs ltl/fuzz_inputs.cc)
target_link_libraries(fuzz_inputs PRIVATE xmc_ltl)
add_test(NAME fuzz_ltl COMMAND fuzz_inputs --seed 1 --runs ${formulas}0 ${automata})

# Engines on simulated devices, for `tools/bench device-table`: compiled with the tests, so that it
# does not rot.
add_executable(engine_bench ${source}/tools/bench.d/engine_bench.cc)
target_link_libraries(engine_bench PRIVATE xmc_cli)
# The whole tool on one of them, for `tools/bench night`.
add_executable(night_bench ${source}/tools/bench.d/night_bench.cc)
target_link_libraries(night_bench PRIVATE xmc_cli)
# The same for `tools/bench phf`.
add_executable(phf_bench ${source}/tools/bench.d/phf_bench.cc)
target_link_libraries(phf_bench PRIVATE xmc_phf xmc_platform)
if(XMC_WHOLE AND NOT CMAKE_CROSSCOMPILING AND NOT XMC_SANITIZE)
  add_test(NAME bench
    COMMAND ${XMC_PYTHON} ${source}/tests/tree/bench_test.py ${PROJECT_BINARY_DIR})
  set_tests_properties(bench PROPERTIES TIMEOUT 120)
endif()
